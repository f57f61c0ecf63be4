use super::*;

fn read(text: &str) -> Result<Profile, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.toml");
    std::fs::write(&file, text).unwrap();
    let variable = |name: &str| match name {
        "TOKEN" => Some("secret".to_owned()),
        "PATH" => Some("/bin".to_owned()),
        _ => None,
    };
    Profile::read(&file, &variable)
}

#[test]
fn an_address_has_its_headers_filled_in_and_does_not_show_them() {
    let profile = read("[upstream]\nurl = 'https://example.org/mcp'\n[upstream.headers]\nAuthorization = 'Bearer ${TOKEN}!'\n").unwrap();
    assert_eq!(profile.name, "some");
    assert_eq!(profile.upstream.describe(), "https://example.org/mcp");
    let UpstreamChoice::Url { headers, .. } = profile.upstream else {
        panic!("{:?}", profile.upstream)
    };
    assert_eq!(
        headers,
        [("Authorization".to_owned(), "Bearer secret!".to_owned())]
    );
}

#[test]
fn a_command_gets_the_variables_that_are_named_and_no_key_besides() {
    let profile = read(
        "[upstream]\ncommand = ['serve', '--fast']\nenv = ['TOKEN', 'UNSET']\ndirectory = '..'\n",
    )
    .unwrap();
    let UpstreamChoice::Command {
        command,
        env,
        directory,
    } = profile.upstream
    else {
        panic!("{:?}", profile.upstream)
    };
    assert_eq!(command, ["serve", "--fast"]);
    assert!(directory.ends_with(".."));
    assert_eq!(
        env,
        [
            ("PATH".to_owned(), "/bin".to_owned()),
            ("TOKEN".to_owned(), "secret".to_owned())
        ]
    );
}

#[test]
fn the_program_itself_need_not_lie_on_the_search_path() {
    let profile = read("[upstream]\ncommand = ['okn-benchmark', 'mcp', 'serve']\n").unwrap();
    let described = profile.upstream.describe();
    assert!(
        Path::new(described.split(' ').next().unwrap()).is_absolute(),
        "{described}"
    );
}

#[test]
fn a_build_is_text_or_what_a_command_prints() {
    let upstream = "[upstream]\nurl = 'http://h/'\n";
    assert_eq!(read(upstream).unwrap().build, None);
    assert_eq!(
        read(&format!("build = '0.6.0'\n{upstream}"))
            .unwrap()
            .build
            .as_deref(),
        Some("0.6.0")
    );
    assert_eq!(
        read(&format!(
            "build = {{ command = ['echo', 'v1-3'] }}\n{upstream}"
        ))
        .unwrap()
        .build
        .as_deref(),
        Some("v1-3")
    );
    for (command, words) in [
        ("['false']", "exit status: 1"),
        ("['true']", "prints nothing"),
        ("[]", "empty"),
        ("['/no/such']", "No such file"),
    ] {
        let error = read(&format!("build = {{ command = {command} }}\n{upstream}")).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn what_is_wrong_has_its_place_and_a_remedy() {
    for (text, words) in [
        ("[upstream]\n", "names no server"),
        (
            "[upstream]\nurl = 'http://h/'\ncommand = ['a']\n",
            "both an address and a command",
        ),
        ("[upstream]\nurl = 'ftp://h/'\n", "neither with http://"),
        (
            "[upstream]\nurl = 'http://me:secret@h/'\n",
            "an address with a user or password in it",
        ),
        ("[upstream]\ncommand = []\n", "an empty command"),
        (
            "[upstream]\nurl = 'http://h/'\nheaders = { A = '${NO}' }\n",
            "environment variable NO for its header A",
        ),
        (
            "build = 3\n[upstream]\nurl = 'http://h/'\n",
            "build is text, or { command",
        ),
        (
            "[upstream]\nulr = 'http://h/'\n",
            "some.toml:2:1: unknown field `ulr`",
        ),
        ("[upstream\n", "some.toml:1:10"),
        ("", "missing field `upstream`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(error.hint().is_some(), "{text}: {error}");
    }
}

#[test]
fn tools_have_the_names_of_the_federations_own_server_unless_told() {
    let profile = read("[upstream]\nurl = 'http://h/'\n").unwrap();
    assert_eq!(profile.tools.descendants, ["get_descendants"]);
    let profile = read("[upstream]\nurl = 'http://h/'\n[tools]\nquery = ['sparql']\n").unwrap();
    assert_eq!(profile.tools.query, ["sparql"]);
    assert_eq!(profile.tools.lookup, ["lookup_uri"]);
}
