//! Embedding models on AVA, side by side.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::components::choice::Choice;
use crate::components::drawn::{drawn_of, once_there, part};
use crate::components::drop_zone::DropZone;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::context::{Announcer, Bundle};
use crate::files::Given;
use crate::fragments;
use crate::fragments::html::Html;
use crate::load::{self, LoadError, Loaded};
use crate::navigate::Navigator;
use crate::query::{Board, Browse, Route};
use crate::tables::{Drawing, Kept, Tables};

/// A leaderboard with its picture, what fine-tuning changes, and the downstream tasks.
#[component]
pub fn Leaderboard() -> impl IntoView {
    let navigator = Navigator::from_context();
    let bundle = Bundle::from_context();
    let board = Memo::new(move |_| match navigator.route().get() {
        Route::Leaderboard(board) => board,
        _ => Board::default(),
    });
    let given = GivenResults::new();
    let path = Signal::derive(move || Some(bundle.ready()?.ava.as_ref()?.board.clone()));
    let site = load::watch_text(path);
    // A site that was published without results of models still has the published figures.
    let (text, set_text) = signal(Loaded::Loading);
    Effect::new(move |_| {
        set_text.set(match (bundle.ready(), path.get()) {
            (Some(_), None) => Loaded::Ready(Arc::new(String::new())),
            _ => site.get(),
        });
    });
    // The count makes another choice of the same address once a file was given.
    let choice = Memo::new(move |_| {
        let address = Route::Leaderboard(board.get()).href();
        Some(format!("{address}&given={}", given.count.get()))
    });
    let models = drawn_of(Drawing::Leaderboard, path, text.into(), choice);
    let parts = [0, 1, 2].map(|at| part(models, at));
    let at = Memo::new(move |_| board.with(|board| board.at));
    Effect::new(move |before: Option<Option<u32>>| {
        let now = at.get();
        if parts[0].with(String::is_empty) {
            return before.flatten();
        }
        if let Some(at) = now.filter(|_| before.flatten() != now) {
            request_animation_frame(move || {
                browser::point_at(".board tr", &fragments::model_id(at));
            });
        }
        now
    });
    view! {
        <div class="page-head">
            <h1 tabindex="-1">"Embedding models on AVA"</h1>
            <p class="lede">
                "Does a sentence embedding put an ontology statement nearer to its paraphrase than to a contradiction in nearly the same words? Triplet accuracy says how often; hard-negative accuracy, how often among the triplets whose statement and contradiction have a token-set ratio of at least 90 of 100."
            </p>
            <p class="note">
                "These figures are about triplets made from ontologies; none of them comes from the federation that is named above. Models are ranked among those that were judged on the same set; figures on two sets are not to be compared."
            </p>
            <ul class="ways">
                <li>
                    <a href=Route::Triplets(Browse::default()).href()>"Browse triplets"</a>
                </li>
                <li>
                    <a href=Route::Errors(Browse::default()).href()>"What a model gets wrong"</a>
                </li>
            </ul>
        </div>
        <Filters board architectures=Signal::derive(move || {
            models.get().ready().map(|drawn| drawn.choices.clone()).unwrap_or_default()
        }) />
        {once_there(
            models,
            "90rem",
            move || {
                view! {
                    <div inner_html=move || parts[0].get()></div>
                    <section class="section" aria-labelledby="picture-title">
                        <h2 id="picture-title">"Triplet accuracy against hard-negative accuracy"</h2>
                        <p class="note">
                            "Of the models that the table shows, those of one set. Far below the dashed line, a model falls for shared words. A point leads to its row."
                        </p>
                        <div inner_html=move || parts[1].get()></div>
                    </section>
                    <div inner_html=move || parts[2].get()></div>
                }
                    .into_any()
            },
        )}
        <section class="section" aria-labelledby="own-title">
            <h2 id="own-title">"Results of your own"</h2>
            <DropZone
                title="Drop result files here"
                accept=".json,application/json"
                on_files=Callback::new(move |files| given.add(files))
            >
                "What `okn-benchmark ava evaluate` wrote, what `ava align --json` or `ava taxonomy --json` printed, or a result file of AVA's own. They stand in the tables until the page is loaded anew; nothing is sent anywhere."
            </DropZone>
            {move || given.problems.get().iter().map(load_problem).collect::<Vec<_>>()}
            {fragment(reading())}
        </section>
    }
}

/// Which models are shown.
#[component]
fn Filters(board: Memo<Board>, architectures: Signal<Vec<String>>) -> impl IntoView {
    let navigator = Navigator::from_context();
    let choose = move |change: &dyn Fn(&mut Board)| {
        let mut asked = board.get_untracked();
        asked.at = None;
        change(&mut asked);
        navigator.replace(Route::Leaderboard(asked));
    };
    view! {
        <form class="filters" on:submit=|event| event.prevent_default()>
            <div class="field">
                <label for="text">"Model or loss"</label>
                <input
                    type="search"
                    id="text"
                    prop:value=move || board.with(|board| board.text.clone().unwrap_or_default())
                    on:input=move |event| {
                        let text = Some(event_target_value(&event)).filter(|text| !text.is_empty());
                        choose(&|board| board.text.clone_from(&text));
                    }
                />
            </div>
            <Choice
                id="architecture"
                label="Architecture"
                options=architectures
                chosen=Signal::derive(move || board.with(|board| board.architecture.clone()))
                on_choose=Callback::new(move |wanted: Option<String>| {
                    choose(&|board| board.architecture.clone_from(&wanted));
                })
            />
            <Choice
                id="figures"
                label="Figures"
                options=fixed(&["published", "recomputed", "ours"])
                chosen=Signal::derive(move || board.with(|board| board.figures.clone()))
                on_choose=Callback::new(move |wanted: Option<String>| {
                    choose(&|board| board.figures.clone_from(&wanted));
                })
            />
            <Choice
                id="tuning"
                label="Tuning"
                options=fixed(&["pre-trained", "fine-tuned"])
                chosen=Signal::derive(move || board.with(|board| board.tuning.clone()))
                on_choose=Callback::new(move |wanted: Option<String>| {
                    choose(&|board| board.tuning.clone_from(&wanted));
                })
            />
        </form>
    }
}

fn reading() -> String {
    let mut html = Html::new();
    html.open("p", &[("class", "note after-table")])
        .text("The words are explained under ")
        .leaf(
            "a",
            &[("href", &Route::About.href())],
            "what the words mean",
        )
        .text("; every row says whether its figures are published, recomputed here, or ours.");
    html.finish()
}

fn fixed(options: &[&str]) -> Signal<Vec<String>> {
    Signal::stored(options.iter().map(|option| (*option).to_owned()).collect())
}

/// Results that the reader gives to the page.
#[derive(Clone, Copy)]
struct GivenResults {
    count: RwSignal<usize>,
    problems: RwSignal<Vec<LoadError>>,
    tables: Tables,
    announcer: Announcer,
}

impl GivenResults {
    fn new() -> Self {
        Self {
            count: RwSignal::new(0),
            problems: RwSignal::new(Vec::new()),
            tables: Tables::from_context(),
            announcer: Announcer::from_context(),
        }
    }

    fn add(self, files: Vec<Given>) {
        spawn_local(async move {
            let mut problems = Vec::new();
            let mut added = 0;
            for Given { path, bytes } in files {
                match self.tables.keep(Kept::Result, path.clone(), bytes).await {
                    Ok(_) => added += 1,
                    Err(problem) => problems.push(LoadError::of_given(path, problem)),
                }
            }
            let refused = problems.len();
            self.problems.try_set(problems);
            self.count.try_update(|count| *count += added);
            self.announcer
                .say(format!("{added} results added, {refused} refused"));
        });
    }
}
