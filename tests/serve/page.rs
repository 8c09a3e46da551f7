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

    // The page's Content-Security-Policy forbids what stands in the page itself.
    for inline in ["<script>", " onclick=", " style="] {
        assert!(!text.contains(inline), "{inline}");
    }

    for quoted in text.split(['"', '\'']) {
        if !quoted.ends_with(".js") && !quoted.ends_with(".css") {
            continue;
        }
        let name = quoted.trim_start_matches("./").trim_start_matches('/');
        let path = format!("/{name}");
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
