//! What can be typed on the command line; what is made of it is in [`crate::settings`].

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::agent::{KgHint, api::ModelArgs, command::CommandArgs, file::FileArgs};
use crate::commands::ava::AvaCommand;

/// Does an agent work out that a question needs an ontology, and does it obey when told not to use one?
///
/// Records are SPARQL answer keys with a scientist's request above them. This program lists them, runs them against a
/// federation of knowledge graphs (one is built in), scores tables that answer them, runs sweeps of agents over them,
/// and publishes the results as a static site.
#[derive(Debug, Parser)]
#[command(name = "okn-benchmark", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub json: bool,
}

const EXIT_STATUS: &str = "\
Exit status: 0 done; 1 a check failed (a key that does not answer, a selfcheck that does not pass, an error of the lint);
2 wrong usage or bad input; 130 stopped by Ctrl-C. JSON and tables go to stdout, talk and progress to stderr.";

/// The commands, in the order of a first day's work.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the records of a corpus, or show one
    #[command(subcommand)]
    Corpus(CorpusCommand),
    /// Run every answer key and print rows, time and content hash
    Reference(ReferenceArgs),
    /// Check that every key answers, twice alike, and scores 1 against itself
    Selfcheck(SelfcheckArgs),
    /// Score a submitted table against a record or a key file
    Score(ScoreArgs),
    /// Compare the controls of each tier with its question's key
    Controls(ControlsArgs),
    /// Probe what makes a category a question worth asking
    Criteria(CriteriaArgs),
    /// Find where the prose of records and their keys disagree
    Lint(LintArgs),
    /// Write the questions for whoever answers them elsewhere
    ExportQuestions(ExportQuestionsArgs),
    /// Run agents over the records, several attempts each
    Run(Box<RunArgs>),
    /// Compare sweeps: rates with intervals, models side by side, or one sweep against an earlier one
    Compare(CompareArgs),
    /// Take over finished runs of another harness, for `compare`
    Import(ImportArgs),
    /// Write the results of sweeps as a site that any static host serves
    Publish(PublishArgs),
    /// Serve a published site, or the results of sweeps, on 127.0.0.1
    View(ViewArgs),
    /// The embedded federation for other programs
    #[command(subcommand)]
    Federation(FederationCommand),
    /// Tools for agents, over the Model Context Protocol
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Do embeddings tell an ontology statement from a contradiction of it: from ontologies to a verdict
    #[command(subcommand)]
    Ava(AvaCommand),
}

/// `federation …`
#[derive(Debug, Subcommand)]
pub enum FederationCommand {
    /// Serve the embedded federation, or RDF files of your own, as a SPARQL endpoint
    Serve(FederationServeArgs),
}

/// `mcp …`
#[derive(Debug, Subcommand)]
pub enum McpCommand {
    /// Serve the federation's tools to an agent or a proxy, or fail at it in a way of your choice
    Serve(McpServeArgs),
    /// Stand between an agent and the server under test, and record every call
    Proxy(McpProxyArgs),
    /// Join an agent to a recording proxy that runs already: what `run` tells agent programs to start
    Attach(McpAttachArgs),
}

/// `corpus …`
#[derive(Debug, Subcommand)]
pub enum CorpusCommand {
    /// List every record, whatever its problems
    List(CorpusListArgs),
    /// Show one record: prose, key, problems
    Show(CorpusShowArgs),
}

/// Where the records and their controls are.
#[derive(Args, Clone, Debug)]
pub struct CorpusArgs {
    /// Folder of the records
    #[arg(long, value_name = "DIR", default_value = "benchmarks-ontology")]
    pub corpus: PathBuf,
    /// Folder of the controls, one folder a tier [default: `controls-ontology` beside the corpus]
    #[arg(long, value_name = "DIR")]
    pub controls: Option<PathBuf>,
}

/// Where queries are run.
#[derive(Args, Clone, Debug)]
pub struct EndpointArgs {
    /// Address of a SPARQL endpoint, or `embedded` for the federation inside this program [default: embedded]
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Folder of the embedded federation's files [default: `snapshot` in the corpus]
    #[arg(long, value_name = "DIR")]
    pub snapshot: Option<PathBuf>,
    /// Seconds that one query may take
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
}

/// `corpus list`
#[derive(Args, Debug)]
pub struct CorpusListArgs {
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Records of this tier only: the text after a record's last underscore
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
}

/// `corpus show`
#[derive(Args, Debug)]
pub struct CorpusShowArgs {
    /// Id of the record, such as nde-expand_autoimmune
    pub id: String,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// `reference`
#[derive(Args, Debug)]
pub struct ReferenceArgs {
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the keys are run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Records of this tier only
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
    /// Write each key's rows here, as CSV and SPARQL JSON with a note of where they come from
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `selfcheck`
#[derive(Args, Debug)]
pub struct SelfcheckArgs {
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the keys are run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Records of this tier only
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
}

/// `score`
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("against").required(true).args(["record", "key"]))]
pub struct ScoreArgs {
    /// Score against this record: its key is run first
    #[arg(long, value_name = "ID")]
    pub record: Option<String>,
    /// Score against this file: SPARQL results (.srj, .json, .srx, .xml), which keep types, or .csv, .tsv
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The submitted table
    #[arg(long, value_name = "FILE")]
    pub answer: PathBuf,
    /// Check the sequence against a key file's own (a record's key says itself how it is ordered)
    #[arg(long)]
    pub ordered: bool,
    /// Accept any of the rows that the key leaves tied at its cut
    #[arg(long, conflicts_with = "key")]
    pub accept_ties: bool,
    /// Show at most this many lines of the row diff
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max_diff_rows: usize,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the key is run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
}

/// `controls`
#[derive(Args, Debug)]
pub struct ControlsArgs {
    /// Where the records and controls are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where keys and controls are run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Controls of this tier only
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
    /// Column that tells rows apart [default: the key's first column of IRIs]
    #[arg(long, value_name = "COLUMN")]
    pub identity: Option<String>,
    /// Say of every missed and every invented row why it is wrong
    #[arg(long)]
    pub why: bool,
    /// Make the controls from this query alone: any .rq file with a hierarchy pattern
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tier", "controls"])]
    pub derive: Option<PathBuf>,
    /// Word for the derived name test; repeat it for several. Words of the root's label make a control of their own
    #[arg(long, value_name = "WORD", requires = "derive")]
    pub keyword: Vec<String>,
    /// Print the derived controls instead of running them
    #[arg(long, requires = "derive")]
    pub print: bool,
}

/// `lint`
#[derive(Args, Debug)]
pub struct LintArgs {
    /// Records and plain `.rq` files, or folders that hold some, at any depth
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Labels of the keys' IRIs: lines of IRI, tab, text, and perhaps tab and `label` or `synonym`; or the same as .json
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// Ask this endpoint for labels and for the keys' rows: an address, or `embedded`. Without it, and without labels, the
    /// rules that need them are silent
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Folder of the embedded federation's files [default: `snapshot` in benchmarks-ontology]
    #[arg(long, value_name = "DIR", requires = "endpoint")]
    pub snapshot: Option<PathBuf>,
    /// Seconds that one query may take
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Print SARIF 2.1.0 for code hosts, instead of --json
    #[arg(long)]
    pub sarif: bool,
}

/// `criteria`
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true
)]
pub struct CriteriaArgs {
    /// Rank every category of an ontology instead.
    #[command(subcommand)]
    pub search: Option<CriteriaCommand>,
    /// Id of a record: its key is probed
    #[arg(required_unless_present = "root", conflicts_with_all = ["root", "graph"])]
    pub id: Option<String>,
    /// A candidate instead of a record: an IRI, or a term such as `MONDO_0004995`
    #[arg(long, value_name = "TERM", requires = "graph")]
    pub root: Option<String>,
    /// Where a candidate's data are.
    #[command(flatten)]
    pub graphs: GraphArgs,
    /// Word that a name is tested for; repeat it for several [default: control B's, else the root's label's]
    #[arg(long, value_name = "WORD")]
    pub keyword: Vec<String>,
    /// Print the queries behind the figures
    #[arg(long)]
    pub queries: bool,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the queries are run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
}

/// `criteria …`
#[derive(Debug, Subcommand)]
pub enum CriteriaCommand {
    /// Rank the categories of an ontology by the criteria
    Search(CriteriaSearchArgs),
}

/// `criteria search`
#[derive(Args, Debug)]
pub struct CriteriaSearchArgs {
    /// Ontology: the start of its classes' IRIs, or a name such as MONDO
    #[arg(long, value_name = "NAME")]
    pub ontology: String,
    /// Where the data are.
    #[command(flatten)]
    pub graphs: GraphArgs,
    /// Rows that a question is to have
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub rows: usize,
    /// Print at most this many categories
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the queries are run.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
}

/// The graphs of a candidate.
#[derive(Args, Clone, Debug)]
pub struct GraphArgs {
    /// Graph with data, as an IRI or by the federation's name for it; twice: the one that is counted, then the one
    /// that crosses it
    #[arg(long, value_name = "GRAPH")]
    pub graph: Vec<String>,
    /// Graph with the hierarchy and its labels
    #[arg(long, value_name = "GRAPH", default_value = "ubergraph")]
    pub hierarchy: String,
}

/// `mcp proxy`
#[derive(Args, Debug)]
pub struct McpProxyArgs {
    /// Profile that names the server under test
    #[arg(long, value_name = "FILE")]
    pub profile: PathBuf,
    /// Folder of the recording: calls.jsonl, calls.json, replies.jsonl, recording.json, answer.csv
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Tools that the agent is given: all-tools, no:NAME,… or only:NAME,…
    #[arg(long, value_name = "TOOLS", default_value = "all-tools")]
    pub tools: String,
    /// Seconds that one call may take
    #[arg(long, value_name = "S", default_value_t = 120.0)]
    pub timeout: f64,
    /// Show soft errors to the agent as errors
    #[arg(long)]
    pub strict_upstream_errors: bool,
    /// Folder in which the agent can write files, from which `submit_csv` then takes them
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
    /// Serve streamable HTTP on this address, such as 127.0.0.1:8019, instead of standard input and output
    #[arg(long, value_name = "IP:PORT")]
    pub http: Option<SocketAddr>,
}

/// `mcp attach`
#[derive(Args, Debug)]
pub struct McpAttachArgs {
    /// Socket of the proxy
    pub socket: PathBuf,
}

/// `export-questions`
#[derive(Args, Debug)]
pub struct ExportQuestionsArgs {
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// File to write, ending in .jsonl, or a folder, which gets a note on how to answer, too
    #[arg(long, value_name = "FILE|DIR")]
    pub out: PathBuf,
    /// Records of this tier only
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
    /// What the questions say of the graphs: `tags` names the record's, `none` nothing
    #[arg(long, value_name = "HINT", default_value_t)]
    pub kg_hint: KgHint,
}

/// `run`
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where keys and agents run their queries.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Agent to run; repeat it for several, each then has its own folder in DIR [default: anthropic or openai, by the model]
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Folder of the attempts: `RECORD/N/` for one agent, `AGENT/RECORD/N/` for several
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Attempts at each record
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// Records of this tier only
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
    /// Every Nth record from the Ith, as I/N: machines share a sweep
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Tools that the agent is given
    #[arg(long, value_name = "TOOLS", default_value = "all-tools")]
    pub tools: String,
    /// Profile that names the server under test
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// What the prompt says of the graphs: `tags` names the record's, `none` nothing
    #[arg(long, value_name = "HINT", default_value_t)]
    pub kg_hint: KgHint,
    /// Model behind the agent
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// How hard the model is asked to think
    #[arg(long, value_name = "EFFORT", value_parser = ["none", "minimal", "low", "medium", "high", "xhigh", "max"])]
    pub effort: Option<String>,
    /// Show soft errors to the agent as errors
    #[arg(long)]
    pub strict_upstream_errors: bool,
    /// Seconds that one attempt may take
    #[arg(long, value_name = "S", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..))]
    pub agent_timeout: u64,
    /// How often a model may be asked to go on in one attempt [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub turns: Option<u32>,
    /// Tokens, read and written together, that a model may use in one attempt
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// US dollars that a model may cost in one attempt, by --prices
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub max_usd: Option<f64>,
    /// Attempts that are under way at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = concurrency)]
    pub concurrency: usize,
    /// US dollars that the attempts of one sweep may cost together, those of earlier runs into DIR among them; an attempt
    /// begins only when all of its --max-usd is left, and counts as that much where its cost is not wholly known
    #[arg(long, value_name = "USD", value_parser = dollars, requires = "max_usd")]
    pub max_sweep_usd: Option<f64>,
    /// Make attempts again that were lost to the infrastructure; the lost ones are kept beside, as `N.lost-1` and so on
    #[arg(long, value_name = "WHICH", value_parser = ["infrastructure"])]
    pub retry: Option<String>,
    /// Run even where the server under test gives a wrong reply to a call whose right reply is known
    #[arg(long)]
    pub allow_broken: bool,
    /// Say what would be run, with which prompts and on whose money, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The model's service.
    #[command(flatten)]
    pub service: ModelArgs,
    /// Agent programs.
    #[command(flatten)]
    pub command: CommandArgs,
    /// Answers made elsewhere.
    #[command(flatten)]
    pub file: FileArgs,
}

pub(crate) fn dollars(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|usd: &f64| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "an amount of dollars was expected, such as 0.50".to_owned())
}

pub(crate) fn concurrency(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=1000).contains(n))
        .ok_or_else(|| "a number from 1 to 1000 was expected".to_owned())
}

/// `compare`
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Folders that `run` or `import` wrote
    #[arg(required = true, value_name = "RUNS")]
    pub runs: Vec<PathBuf>,
    /// Write the comparison here: Markdown, CSV, JSON and SVG charts
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Compare each sweep with the one of the same agent in this folder, regressions first
    #[arg(long, value_name = "RUNS")]
    pub against: Option<PathBuf>,
    /// Exit with 1 when a record got worse than in --against, or cannot be told any more
    #[arg(long, requires = "against")]
    pub fail_on_regression: bool,
    /// Fall of a share or of the mean f1 that is no regression, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "against", value_parser = share)]
    pub tolerance: f64,
    /// Records of this tier only; repeat it for several
    #[arg(long, value_name = "TIER")]
    pub tier: Vec<String>,
    /// This record only; repeat it for several
    #[arg(long, value_name = "ID")]
    pub record: Vec<String>,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Resamples of the bootstrap
    #[arg(long, value_name = "N", default_value_t = sweep::RESAMPLES, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub resamples: u32,
    /// Compare sweeps over different builds, corpora or releases, and mark them
    #[arg(long)]
    pub allow_mixed: bool,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share is a number from 0 to 1".to_owned()),
    }
}

/// `import`
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// Folder with the runs: each folder in it with a calls.json or a metrics.json is an attempt
    pub dir: PathBuf,
    /// Folder to write, not there yet
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folder of the records that were asked: says which term a call used, and what obeying was
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Folder of the controls [default: `controls-ontology` beside the corpus]
    #[arg(long, value_name = "DIR", requires = "corpus")]
    pub controls: Option<PathBuf>,
    /// Agent, where the files do not say
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Model, where the files do not say
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Effort, where the files do not say
    #[arg(long, value_name = "EFFORT")]
    pub effort: Option<String>,
    /// Tools, where the files do not say
    #[arg(long, value_name = "TOOLS")]
    pub tools: Option<String>,
    /// What the prompt said about the graphs, where the files do not say
    #[arg(long, value_name = "HINT")]
    pub kg_hint: Option<String>,
    /// Address of the live endpoint behind the runs; without it they stand in no table with others
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Build of the server that was measured
    #[arg(long, value_name = "BUILD")]
    pub build: Option<String>,
}

/// `publish`
#[derive(Args, Debug)]
pub struct PublishArgs {
    /// Folders that `run` wrote
    #[arg(required = true, value_name = "RUNS")]
    pub runs: Vec<PathBuf>,
    /// Folder of the site to write
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folder of the built explorer, copied into the site
    #[arg(long, value_name = "DIR")]
    pub explorer: Option<PathBuf>,
    /// Publish sweeps over different builds of the server, and mark them
    #[arg(long)]
    pub allow_mixed: bool,
    /// Results of models, for the leaderboard: what `ava evaluate` wrote, with --details the model's errors too; what
    /// `ava align --json` and `ava taxonomy --json` printed
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub ava: Vec<PathBuf>,
    /// Such results for a model and a set, or a task, of which there are published figures
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub ava_recomputed: Vec<PathBuf>,
    /// Triplets to browse, such as the kept.json, hard.json and dropped.json of `ava filter`
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub ava_triplets: Vec<PathBuf>,
    /// Say what became of each record since the sweeps in this folder, regressions first
    #[arg(long, value_name = "RUNS")]
    pub against: Option<PathBuf>,
    /// Fall of a share or of the mean f1 that is no regression, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "against", value_parser = share)]
    pub tolerance: f64,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the keys are run: the same as in the sweeps.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
}

/// `view`
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// Folder of a site that `publish` wrote, or folders that `run` wrote
    #[arg(required = true, value_name = "SITE|RUNS")]
    pub folders: Vec<PathBuf>,
    /// Folder of the built explorer, to show folders that `run` wrote
    #[arg(long, value_name = "DIR", default_value = "target/explorer")]
    pub explorer: PathBuf,
    /// Where the records are.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Where the keys are run: the same as in the sweeps.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Show sweeps over different builds of the server, and mark them
    #[arg(long)]
    pub allow_mixed: bool,
    /// Port on 127.0.0.1; 0 lets the system choose
    #[arg(long, value_name = "PORT", default_value_t = 8017)]
    pub port: u16,
}

/// `federation serve`
#[derive(Args, Debug)]
pub struct FederationServeArgs {
    /// RDF file or folder (.trig, .nq, .ttl, .nt, .rdf, .owl, each with .gz or without) to serve instead of the embedded
    /// federation; repeat it for several. Triples in no named graph are the default graph's
    #[arg(long, value_name = "PATH", conflicts_with = "snapshot")]
    pub data: Vec<PathBuf>,
    /// Folder of the embedded federation's files
    #[arg(
        long,
        value_name = "DIR",
        default_value = "benchmarks-ontology/snapshot"
    )]
    pub snapshot: PathBuf,
    /// Address to listen on; any but 127.0.0.1 lets other machines ask
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on; 0 lets the system choose
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    pub port: u16,
    /// Seconds that one query may take
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
}

/// `mcp serve`
#[derive(Args, Debug)]
pub struct McpServeArgs {
    /// Where the tools run their queries.
    #[command(flatten)]
    pub endpoint: EndpointArgs,
    /// Folder of the records, whose `snapshot` is the embedded federation
    #[arg(long, value_name = "DIR", default_value = "benchmarks-ontology")]
    pub corpus: PathBuf,
    /// Serve streamable HTTP on this address, such as 127.0.0.1:8018, instead of standard input and output
    #[arg(long, value_name = "IP:PORT")]
    pub http: Option<SocketAddr>,
    /// Fail in this way; `list` says in which ways it can
    #[arg(long, value_name = "NAME")]
    pub fault: Option<String>,
    /// Calls that go well before the fault
    #[arg(long, value_name = "N", default_value_t = 0, requires = "fault")]
    pub fault_after: usize,
}
