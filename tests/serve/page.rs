//! The files of the page.

use crate::served;

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let (_work, server) = served("");
    let page = server.get("/");
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );

    let text = page.text();
    assert!(
        !text.contains("http://") && !text.contains("https://"),
        "a file of another site"
    );
    assert!(!text.contains("<script>") && !text.contains(" onclick=") && !text.contains(" style="));

    for part in text
        .split(['"', '\''])
        .filter(|part| part.ends_with(".js") || part.ends_with(".css"))
    {
        let path = format!("/{}", part.trim_start_matches("./").trim_start_matches('/'));
        assert_eq!(server.get(&path).status, 200, "{path}");
    }
}

#[test]
fn there_is_nothing_at_other_addresses() {
    let (_work, server) = served("");
    for target in [
        "/index.php",
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/api",
        "/api/2/games",
        "/api/1/games/1/2",
        "/masters/",
    ] {
        assert_eq!(server.get(target).status, 404, "{target}");
    }
}
