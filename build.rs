//! Joins the modules of the page of `stamma serve` into the scripts that it serves.

#[path = "src/serve/script.rs"]
mod script;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let has_server = env::var_os("CARGO_FEATURE_SERVE").is_some();
    if !has_server {
        return Ok(());
    }

    let serve = Path::new("src/serve");
    println!("cargo::rerun-if-changed=src/serve/script.rs");
    for (folder, _) in script::FOLDERS {
        println!("cargo::rerun-if-changed={}", serve.join(folder).display());
    }

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let modules = script::read_modules(serve)?;
    for (path, text) in script::joined(&modules)? {
        let name = path.rsplit('/').next().unwrap_or(path);
        fs::write(out.join(name), text)?;
    }
    Ok(())
}
