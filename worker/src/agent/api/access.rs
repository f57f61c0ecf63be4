//! Where a service is and what it is asked with: one answer for agents and encoders.

use reqwest::header::HeaderMap;

use super::agent::Interface;
use super::key::Key;
use crate::Failure;

/// What is fixed of an interface, whoever is asked by it.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The name by which its agent is asked for.
    pub(crate) name: &'static str,
    /// Where the service of its maker is.
    pub(crate) home: &'static str,
    /// Variable of the environment that holds the key.
    pub(crate) key_variable: &'static str,
    /// Variable of the environment that holds the address of another service.
    pub(crate) base_variable: &'static str,
    /// Members of a request that are not for the operator to set.
    pub(crate) reserved: &'static [&'static str],
    /// Whether the services of others are asked with a key only, too.
    pub(crate) is_always_keyed: bool,
}

/// Whether a key is needed now: what only says what it would do asks no service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNeed {
    /// The service is going to be asked.
    Now,
    /// It is not, as in a dry run.
    NotYet,
}

/// The address of a service.
pub(crate) struct Address {
    pub(crate) base: String,
    /// Whether it is the maker's own.
    pub(crate) is_home: bool,
}

impl Facts {
    /// The address that was given, else the environment's, else the maker's own; `variable` looks a variable of the environment up.
    pub(crate) fn address(
        &self,
        given: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Address {
        let base = given
            .map(str::to_owned)
            .or_else(|| variable(self.base_variable))
            .unwrap_or_else(|| self.home.to_owned());
        let is_home = base
            .strip_prefix(self.home)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
        Address { base, is_home }
    }

    /// Whether a service is asked with a key only.
    pub(crate) fn needs_key(&self, is_home: bool) -> bool {
        self.is_always_keyed || is_home
    }
}

/// The key of a service and the headers that carry it; `asker` is who needs the key.
pub(crate) fn credentials(
    interface: &dyn Interface,
    address: &Address,
    asker: &str,
    need: KeyNeed,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(Option<Key>, HeaderMap), Failure> {
    let facts = interface.facts();
    let name = facts.key_variable;
    let key = variable(name).as_deref().and_then(Key::new);
    if key.is_none() && need == KeyNeed::Now && facts.needs_key(address.is_home) {
        return Err(Failure::usage(
            format!("{asker} needs a key"),
            if facts.is_always_keyed {
                format!("export {name}=…; it is sent to the service and written nowhere")
            } else {
                format!("export {name}=…, or give another service's address with --base-url")
            },
        ));
    }
    let headers = interface.headers(key.as_ref()).ok_or_else(|| {
        Failure::usage(
            format!("{name} holds characters that no key has"),
            format!("export {name}=… again"),
        )
    })?;
    Ok((key, headers))
}

#[cfg(test)]
mod tests {
    use super::Facts;

    const FACTS: Facts = Facts {
        name: "some",
        home: "https://some.example/v1",
        key_variable: "SOME_KEY",
        base_variable: "SOME_BASE_URL",
        reserved: &[],
        is_always_keyed: false,
    };

    #[test]
    fn an_address_is_the_makers_own_only_where_its_whole_name_is() {
        for (given, is_home) in [
            (None, true),
            (Some("https://some.example/v1"), true),
            (Some("https://some.example/v1/"), true),
            (Some("https://some.example/v1?tenant=a"), true),
            (Some("https://some.example/v1.other.example"), false),
            (Some("https://some.example/v10"), false),
            (Some("http://127.0.0.1:8080/v1"), false),
        ] {
            let address = FACTS.address(given, &|_| None);
            assert_eq!(address.is_home, is_home, "{given:?}");
            assert_eq!(FACTS.needs_key(address.is_home), is_home);
        }
    }

    #[test]
    fn what_is_given_comes_before_the_environment() {
        let variable =
            |name: &str| (name == "SOME_BASE_URL").then(|| "http://there.example".to_owned());
        let base = |given| FACTS.address(given, &variable).base;
        assert_eq!(base(None), "http://there.example");
        assert_eq!(base(Some("http://here.example")), "http://here.example");
    }
}
