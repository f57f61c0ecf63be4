//! `criteria`: what makes a category a question worth asking, probed on the endpoint.

use control::{
    Candidate, Category, CategorySearch, CriteriaReport, Criterion, CriterionId, Inquiry, Presence,
    Question, QuestionError, Routes, SearchArea, SearchReport, TermRoutes,
};
use indicatif::ProgressBar;
use record::{Arm, Corpus, Record};
use serde::Serialize;
use sweep::Provenance;

use super::{plural, source_line};
use crate::Failure;
use crate::cli::{CriteriaArgs, CriteriaCommand, CriteriaSearchArgs, GraphArgs};
use crate::endpoint::Endpoint;
use crate::output::{Output, figure_or_dash, grid};
use crate::settings::{CorpusPlace, EndpointChoice, named};

/// Where the federation's graphs are named.
const GRAPHS: &str = "https://purl.org/okn/frink/kg/";
/// Where the OBO ontologies' terms are named.
const TERMS: &str = "http://purl.obolibrary.org/obo/";

/// What `criteria --json` prints.
#[derive(Serialize)]
struct Printed<T: Serialize> {
    #[serde(flatten)]
    report: T,
    #[serde(flatten)]
    provenance: Provenance,
}

pub(super) async fn run(args: &CriteriaArgs, output: Output) -> Result<(), Failure> {
    if let Some(CriteriaCommand::Search(args)) = &args.search {
        return search(args, output).await;
    }
    let place = CorpusPlace::from(&args.corpus);
    let choice = EndpointChoice::new(&args.endpoint, &place)?;
    let (question, keywords) = match (&args.id, &args.root) {
        (Some(id), _) => of_record(&place.read()?, id, &args.keyword)?,
        (None, Some(root)) => (of_candidate(root, &args.graphs)?, args.keyword.clone()),
        // The command line has it that one of the two is there.
        (None, None) => {
            return Err(Failure::usage(
                "nothing to probe",
                "give a record or --root",
            ));
        }
    };
    let endpoint = Endpoint::open(&choice).await?;
    require(&Presence::of_question(&question), &endpoint).await?;
    let mut inquiry = Inquiry::new(question, &keywords);
    while let Some(query) = inquiry.next_query() {
        inquiry.answer(&endpoint.query(&query).await?.table);
    }
    let printed = Printed {
        report: inquiry.finish(),
        provenance: endpoint.provenance().clone(),
    };
    output.print(&printed, |printed| {
        format!(
            "{}\n{}",
            text(&printed.report, args.queries),
            source_line(&printed.provenance)
        )
    })
}

fn of_record(
    corpus: &Corpus,
    id: &str,
    keywords: &[String],
) -> Result<(Question, Vec<String>), Failure> {
    let record = named(corpus, id)?;
    let Some(key) = &record.query else {
        return Err(Failure::usage(
            format!("{id} has no key that can be run"),
            format!("see its problems with `okn-benchmark corpus show {id}`"),
        ));
    };
    let question = Question::of_key(key).map_err(|error| refused(&error, Some(record)))?;
    let tier = record.name.tier.as_deref().unwrap_or_default();
    let of_control = || {
        let controls = corpus.controls_of(tier).into_iter();
        let mut words = controls.map(|control| control.keywords.clone());
        words.find(|words| !words.is_empty())
    };
    let given = (!keywords.is_empty()).then(|| keywords.to_vec());
    Ok((question, given.or_else(of_control).unwrap_or_default()))
}

fn of_candidate(root: &str, graphs: &GraphArgs) -> Result<Question, Failure> {
    let [first, second] = both(graphs)?;
    let candidate = Candidate {
        root: &iri(
            TERMS,
            &root.replacen(':', "_", usize::from(!root.contains("//"))),
        ),
        hierarchy: &iri(GRAPHS, &graphs.hierarchy),
        first: &first,
        second: &second,
    };
    Question::of_candidate(&candidate).map_err(|error| refused(&error, None))
}

fn both(graphs: &GraphArgs) -> Result<[String; 2], Failure> {
    let [first, second] = graphs.graph.as_slice() else {
        return Err(Failure::usage(
            format!(
                "{} given with --graph, and the criteria are about two",
                plural(graphs.graph.len(), "graph")
            ),
            "give --graph twice: the one whose data are counted, then the one that crosses it",
        ));
    };
    Ok([first, second].map(|graph| iri(GRAPHS, graph)))
}

/// What was typed, if it is an IRI, else that name in its usual place.
fn iri(place: &str, text: &str) -> String {
    if text.contains("//") {
        text.to_owned()
    } else {
        format!("{place}{text}")
    }
}

/// Refuses to count in what is not there: every figure would be 0, and look like a finding.
async fn require(needed: &[Presence], endpoint: &Endpoint) -> Result<(), Failure> {
    for presence in needed {
        let answer = endpoint.query(&presence.query()).await?.table;
        if answer.as_boolean() != Some(false) {
            continue;
        }
        let hint = match (presence, endpoint.graphs()) {
            (Presence::Graph { .. }, Some(graphs)) => {
                let graphs: Vec<&str> = graphs.into_iter().collect();
                format!("the graphs are {}", graphs.join(", "))
            }
            (Presence::Graph { .. }, None) => {
                "check the graph's name; that of a named graph there can be given in full".to_owned()
            }
            (Presence::Class { .. }, _) => {
                "check the term; `okn-benchmark criteria search --ontology … --graph … --graph …` lists those that might do"
                    .to_owned()
            }
            (Presence::Ontology { .. }, _) => {
                "--ontology takes the prefix of its identifiers, such as MONDO, or what its IRIs begin with"
                    .to_owned()
            }
        };
        let endpoint = &endpoint.provenance().endpoint;
        return Err(Failure::usage(
            format!("the endpoint {endpoint} does not have {presence}"),
            hint,
        ));
    }
    Ok(())
}

fn refused(error: &QuestionError, record: Option<&Record>) -> Failure {
    let twin = record
        .filter(|record| record.name.arm == Some(Arm::Exact))
        .and_then(|record| record.name.twin_id());
    let hint = match (error, twin) {
        (_, Some(twin)) => format!("probe the expanded question, {twin}"),
        (QuestionError::Hierarchy(error), None) => error.remedy().to_owned(),
        (QuestionError::NotAnIri { .. }, None) => {
            "give a whole IRI, or a short name without spaces".to_owned()
        }
        _ => "give a key that joins two graphs over one hierarchy".to_owned(),
    };
    Failure::usage(error.to_string(), hint)
}

fn text(report: &CriteriaReport, queries: bool) -> String {
    let rows = report.criteria.iter().map(|criterion| {
        vec![
            criterion.number.to_string(),
            criterion.id.words().to_owned(),
            holds(criterion).to_owned(),
            figure_or_dash(criterion.figure),
            criterion.sentence.clone(),
        ]
    });
    let label = report.label.as_deref().unwrap_or("no label");
    let mut text = vec![
        format!("{} ({label}), closure {}", report.root, report.closure),
        grid(
            &["", "criterion", "holds", "figure", "found"],
            &[0, 3],
            rows,
        ),
        OUR_READING.to_owned(),
    ];
    let several = report
        .routes
        .as_ref()
        .filter(|found| found.routes.len() > 1);
    text.extend(several.map(by_route));
    if queries {
        for criterion in &report.criteria {
            let queries = criterion.queries.iter();
            text.extend(queries.map(|query| format!("\n# {}\n{query}", criterion.id)));
        }
    }
    text.join("\n")
}

/// What each term has by each route; first those that a route leaves out, and that an answer by it therefore lacks.
fn by_route(routes: &Routes) -> String {
    let mut terms: Vec<&TermRoutes> = routes.terms.iter().collect();
    terms.sort_by_key(|term| {
        let reached = term.counts.iter().filter(|count| **count > 0).count();
        reached == 0 || reached == term.counts.len()
    });
    let paths = routes.routes.iter().map(|found| found.route.to_string());
    let header: Vec<String> = std::iter::once("term".to_owned()).chain(paths).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = terms.into_iter().map(|term| {
        let counts = term.counts.iter().map(ToString::to_string);
        std::iter::once(term.term.clone()).chain(counts).collect()
    });
    let right: Vec<usize> = (1..header.len()).collect();
    format!(
        "data of each term by each route:\n{}",
        grid(&header, &right, rows)
    )
}

const OUR_READING: &str =
    "5 and 6 are our reading: the published text says that there are seven and spells out five";

fn holds(criterion: &Criterion) -> &'static str {
    match criterion.holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not told",
    }
}

async fn search(args: &CriteriaSearchArgs, output: Output) -> Result<(), Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let choice = EndpointChoice::new(&args.endpoint, &place)?;
    let [first, second] = both(&args.graphs)?;
    let prefix = if args.ontology.contains("//") {
        args.ontology.clone()
    } else {
        format!("{TERMS}{}_", args.ontology.trim_end_matches([':', '_']))
    };
    let area = SearchArea {
        hierarchy: iri(GRAPHS, &args.graphs.hierarchy),
        first,
        second,
        prefix,
        wanted: args.rows,
    };
    let needed = Presence::of_search(&area);
    let mut search = CategorySearch::new(area).map_err(|error| refused(&error, None))?;
    let endpoint = Endpoint::open(&choice).await?;
    require(&needed, &endpoint).await?;
    let queries = ProgressBar::new_spinner().with_message("asking for the hierarchy and the data");
    while let Some(query) = search.next_query() {
        queries.tick();
        search.answer(&endpoint.query(&query).await?.table);
    }
    queries.finish_and_clear();
    let bar = ProgressBar::new(0);
    let mut report = search.finish(&mut |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let found = report.categories.len();
    report.categories.truncate(args.top);
    let printed = Printed {
        report,
        provenance: endpoint.provenance().clone(),
    };
    output.print(&printed, |printed| {
        format!(
            "{}\n{}",
            ranking(&printed.report, found),
            source_line(&printed.provenance)
        )
    })
}

fn ranking(report: &SearchReport, found: usize) -> String {
    let header = [
        "held",
        "root",
        "label",
        "closure",
        "root in 1st",
        "root in 2nd",
        "qualify",
        "kept by name",
        "invented",
        "fails",
    ];
    let rows = report.categories.iter().map(row);
    let mut text = vec![
        grid(&header, &[0, 3, 4, 5, 6, 7, 8], rows),
        format!(
            "the best {} of {found} with data in both graphs; of all of them:",
            report.categories.len(),
        ),
    ];
    for criterion in [&report.density, &report.one_path] {
        let (id, told, sentence) = (criterion.id, holds(criterion), &criterion.sentence);
        text.push(format!("  {id}: {told}, {sentence}"));
    }
    let id = CriterionId::TotalOrder;
    text.push(format!("  {id}: yes, by data and then by IRI"));
    text.push(OUR_READING.to_owned());
    text.join("\n")
}

fn row(category: &Category) -> Vec<String> {
    let failed: Vec<_> = category
        .failed
        .iter()
        .map(|id| id.number().to_string())
        .collect();
    vec![
        category.held.to_string(),
        category.root.clone(),
        category.label.clone().unwrap_or_default(),
        category.closure.to_string(),
        category.root_in_first.to_string(),
        category.root_in_second.to_string(),
        category.qualifying.to_string(),
        format!("{} of {}", category.kept, category.answer),
        category.invented.to_string(),
        failed.join(", "),
    ]
}
