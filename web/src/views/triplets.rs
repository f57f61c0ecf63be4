//! Triplets to browse, and those that a model gets wrong.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use sweep::AvaFile;

use crate::browser;
use crate::components::choice::Choice;
use crate::components::drawn::{drawn_of, once_there, part};
use crate::components::drop_zone::DropZone;
use crate::components::fragment::fragment;
use crate::components::own_triplet::OwnTriplet;
use crate::context::{Announcer, Bundle};
use crate::files::Given;
use crate::load::{self, LoadError, Loaded};
use crate::navigate::Navigator;
use crate::query::{Board, Browse, Route};
use crate::tables::{Drawing, Drawn, Kept, Tables};

/// Triplets with their lexical scores and the verdict of the rules.
#[component]
pub fn Triplets() -> impl IntoView {
    view! {
        <div class="page-head">
            <p class="crumbs">
                <a href=Route::Leaderboard(Board::default()).href()>"AVA"</a>
                " / triplets"
            </p>
            <h1 tabindex="-1">"Triplets"</h1>
            <p class="lede">
                "An anchor is a true statement of an ontology, the positive a paraphrase, the negative a contradiction in nearly the same words. Three token-set ratios, computed in this page, say how many words they share; at 90 they decide."
            </p>
        </div>
        <OwnTriplet />
        <Browser is_errors=false />
    }
}

/// Triplets that a model gets wrong, with its cosines.
#[component]
pub fn Errors() -> impl IntoView {
    view! {
        <div class="page-head">
            <p class="crumbs">
                <a href=Route::Leaderboard(Board::default()).href()>"AVA"</a>
                " / errors"
            </p>
            <h1 tabindex="-1">"What a model gets wrong"</h1>
            <p class="lede">
                "The triplets whose contradiction is at least as near to the anchor as the paraphrase is, by the cosines of the model’s vectors; the worst first."
            </p>
        </div>
        <Browser is_errors=true />
    }
}

/// Where the triplets come from.
#[derive(Clone, PartialEq)]
enum Source {
    /// A file of the site.
    Site(AvaFile),
    /// A file of the reader's.
    Reader(Arc<Given>),
}

/// A file of triplets, what of it is shown, and how to choose.
#[component]
fn Browser(is_errors: bool) -> impl IntoView {
    let navigator = Navigator::from_context();
    let bundle = Bundle::from_context();
    let browse = Memo::new(move |_| match navigator.route().get() {
        Route::Triplets(browse) | Route::Errors(browse) => browse,
        _ => Browse::default(),
    });
    let go = move |change: &dyn Fn(&mut Browse)| {
        let mut asked = browse.get_untracked();
        asked.page = None;
        change(&mut asked);
        navigator.replace(if is_errors {
            Route::Errors(asked)
        } else {
            Route::Triplets(asked)
        });
    };
    let files = Memo::new(move |_| {
        let index = bundle.ready();
        let ava = index.as_ref().and_then(|index| index.ava.as_ref());
        ava.map(|ava| {
            if is_errors {
                ava.judged.clone()
            } else {
                ava.sets.clone()
            }
        })
        .unwrap_or_default()
    });
    let own = RwSignal::new(None::<Arc<Given>>);
    let asked = Memo::new(move |_| browse.with(|browse| browse.set.clone()));
    // A set that the site does not have, as in an address of another one, is none.
    let from = Memo::new(move |_| {
        if let Some(given) = own.get() {
            return Some(Source::Reader(given));
        }
        let files = files.get();
        let named = asked
            .get()
            .and_then(|name| files.iter().find(|file| file.name == name).cloned());
        named.or_else(|| files.first().cloned()).map(Source::Site)
    });
    let kept = keep(from, is_errors);
    let path = Signal::derive(move || {
        Some(match from.get()? {
            Source::Site(file) => file.path,
            Source::Reader(given) => given.path.clone(),
        })
    });
    // What is typed beside them makes no other triplets.
    let listed = Memo::new(move |_| Browse {
        own: [None, None, None],
        ..browse.get()
    });
    let choice = Memo::new(move |_| {
        let listed = listed.get();
        Some(
            if is_errors {
                Route::Errors(listed)
            } else {
                Route::Triplets(listed)
            }
            .href(),
        )
    });
    let text = Signal::derive(move || match kept.get() {
        Loaded::Ready(_) => Loaded::Ready(Arc::new(String::new())),
        Loaded::Loading => Loaded::Loading,
        Loaded::Failed(error) => Loaded::Failed(error),
    });
    let list = drawn_of(Drawing::Triplets, path, text, choice);
    Effect::new(move |before: Option<(Option<u32>, Browse)>| {
        let mut rest = listed.get();
        let page = rest.page.take();
        // Another choice of triplets leads to their first page too, and leaves the focus where it was made.
        if before.is_some_and(|(before, of)| before != page && of == rest) {
            // The list is drawn a little later; what says which page it is stands above it all the same.
            browser::focus("#shown");
        }
        (page, rest)
    });
    let shown = part(list, 0);
    let summary = Memo::new(move |_| match kept.get() {
        Loaded::Ready(drawn) => drawn.parts.concat(),
        _ => String::new(),
    });
    let name = move || match from.get() {
        Some(Source::Site(file)) => file.name,
        Some(Source::Reader(given)) => given.path.clone(),
        None => String::new(),
    };
    let title = if is_errors { "Model" } else { "Set" };
    let (drop_title, hint) = if is_errors {
        (
            "Drop a file of judged triplets here",
            "What `okn-benchmark ava evaluate --details FILE` wrote. It is read in this page; nothing is sent anywhere.",
        )
    } else {
        (
            "Drop a file of triplets here",
            "kept.json, hard.json or dropped.json of `okn-benchmark ava filter`, or any AVA file: a JSON array, or one object a line. It is read in this page; nothing is sent anywhere.",
        )
    };
    let on_files = Callback::new(move |files: Vec<Given>| {
        if let Some(given) = files.into_iter().next() {
            own.set(Some(Arc::new(given)));
            go(&|browse| {
                *browse = Browse {
                    own: browse.own.clone(),
                    ..Browse::default()
                }
            });
        }
    });
    view! {
        <section class="section" aria-labelledby="set-title">
            <h2 id="set-title">{move || if from.get().is_some() { name() } else { title.to_owned() }}</h2>
            <div class="columns side">
                <div>
                    <form class="filters" on:submit=|event| event.prevent_default()>
                        <Choice
                            id="set"
                            label=title
                            options=Signal::derive(move || {
                                let mut names: Vec<String> = files.get().into_iter().map(|file| file.name).collect();
                                names.extend(own.get().map(|given| given.path.clone()));
                                names
                            })
                            chosen=Signal::derive(move || Some(name()))
                            none=None
                            on_choose=Callback::new(move |set: Option<String>| {
                                own.set(None);
                                go(&|browse| {
                                    *browse = Browse {
                                        set: set.clone(),
                                        own: browse.own.clone(),
                                        ..Browse::default()
                                    };
                                });
                            })
                        />
                        <Choice
                            id="kind"
                            label="Perturbation"
                            options=Signal::derive(move || {
                                kept.get().ready().map(|drawn| drawn.choices.clone()).unwrap_or_default()
                            })
                            chosen=Signal::derive(move || browse.with(|browse| browse.kind.clone()))
                            on_choose=Callback::new(move |kind: Option<String>| {
                                go(&|browse| browse.kind.clone_from(&kind));
                            })
                        />
                        <Choice
                            id="verdict"
                            label="Verdict"
                            options=Signal::stored(["kept", "hard", "dropped"].map(str::to_owned).to_vec())
                            chosen=Signal::derive(move || browse.with(|browse| browse.verdict.clone()))
                            on_choose=Callback::new(move |verdict: Option<String>| {
                                go(&|browse| browse.verdict.clone_from(&verdict));
                            })
                        />
                        <div class="field">
                            <label for="text">"Words"</label>
                            <input
                                type="search"
                                id="text"
                                prop:value=move || browse.with(|browse| browse.text.clone().unwrap_or_default())
                                on:input=move |event| {
                                    let text = Some(event_target_value(&event)).filter(|text| !text.is_empty());
                                    go(&|browse| browse.text.clone_from(&text));
                                }
                            />
                        </div>
                    </form>
                    <div inner_html=move || summary.get()></div>
                </div>
                <DropZone title=drop_title accept=".json,.jsonl,application/json" on_files>
                    {hint}
                </DropZone>
            </div>
            {move || {
                if bundle.ready().is_some() && from.get().is_none() {
                    fragment(nothing(is_errors))
                } else {
                    once_there(
                        list,
                        "60rem",
                        move || view! { <div inner_html=move || shown.get()></div> }.into_any(),
                    )
                }
            }}
        </section>
    }
}

fn nothing(is_errors: bool) -> String {
    let what = if is_errors {
        "This site was published without judged triplets. Drop a file of your own, or publish with --ava a result of `ava evaluate --details`."
    } else {
        "This site was published without triplets. Drop a file of your own, or publish with --ava-triplets."
    };
    let mut html = crate::fragments::html::Html::new();
    html.leaf("p", &[("class", "empty")], what);
    html.finish()
}

/// Has the file read and kept by the tables worker, and says what it holds.
fn keep(from: Memo<Option<Source>>, is_errors: bool) -> ReadSignal<Loaded<Drawn>> {
    let tables = Tables::from_context();
    let announcer = Announcer::from_context();
    let (kept, set_kept) = signal(Loaded::Loading);
    let last = StoredValue::new(0_u32);
    let kind = if is_errors {
        Kept::Judged
    } else {
        Kept::Triplets
    };
    Effect::new(move |_| {
        let Some(from) = from.get() else { return };
        set_kept.set(Loaded::Loading);
        last.update_value(|last| *last += 1);
        let this = last.get_value();
        spawn_local(async move {
            let result = match from {
                Source::Site(file) => match load::bytes(&file.path).await {
                    Ok(bytes) => {
                        // What the worker keeps takes the place of what it kept before, which may be of a later choice.
                        if last.try_get_value() != Some(this) {
                            return;
                        }
                        let kept = tables.keep(kind, file.name, bytes).await;
                        kept.map_err(|problem| LoadError::of_given(file.path, problem))
                    }
                    Err(error) => Err(error),
                },
                Source::Reader(given) => {
                    let kept = tables
                        .keep(kind, given.path.clone(), given.bytes.clone())
                        .await;
                    kept.map_err(|problem| LoadError::of_given(given.path.clone(), problem))
                }
            };
            // The view may be gone, or the reader may have chosen again meanwhile.
            if last.try_get_value() == Some(this) {
                if result.is_err() {
                    announcer.say("the file could not be read");
                }
                set_kept.try_set(match result {
                    Ok(drawn) => Loaded::Ready(Arc::new(drawn)),
                    Err(error) => Loaded::Failed(Arc::new(error)),
                });
            }
        });
    });
    kept
}
