//! Paths by their ends.

/// Of each path, with `/` between its parts, as much of its end as tells it from the others, but at least `least` parts where it
/// has as many. Where on a machine something lies is nobody's business on a published site, so its beginning is the last
/// thing to be shown. Equal paths are shown as one.
pub fn path_ends(paths: &[String], least: usize) -> Vec<String> {
    let split = |path: &'_ str| -> Vec<String> {
        let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
        parts.map(str::to_owned).collect()
    };
    let paths: Vec<Vec<String>> = paths.iter().map(|path| split(path)).collect();
    let ends = paths.iter().map(|own| {
        let others = paths.iter().filter(|other| *other != own);
        let shared = others
            .map(|other| {
                let pairs = own.iter().rev().zip(other.iter().rev());
                pairs.take_while(|(own, other)| own == other).count()
            })
            .max()
            .unwrap_or_default();
        let shown = least.max(shared + 1).min(own.len());
        own[own.len() - shown..].join("/")
    });
    ends.collect()
}
