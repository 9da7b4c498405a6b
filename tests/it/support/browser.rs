//! A real browser without a window, spoken to in its DevTools protocol over two pipes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::needs::skip;
use base64ct::{Base64, Encoding};
use serde_json::{Value, json};
use tempfile::TempDir;

const CHROMIUM: &str = "/usr/bin/chromium";

/// How many pixels of a page are in its picture.
const LONGEST_PICTURE: f64 = 6000.0;

/// A browser, which ends with this value.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    sent: u64,
    /// What the browser told without being asked.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts one; `None` where it is not installed.
    pub fn start() -> Option<Self> {
        if !Path::new(CHROMIUM).exists() {
            skip("chromium");
            return None;
        }
        let profile = tempfile::tempdir().expect("a folder");
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>&2";
        // As on a phone, scrollbars take no room.
        let options = "--headless --no-sandbox --disable-gpu --no-first-run --hide-scrollbars \
            --disable-dev-shm-usage --disable-extensions --disable-background-networking \
            --remote-debugging-pipe";
        let mut process = Command::new("sh")
            .args(["-c", script, CHROMIUM])
            .args(options.split(' '))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let to = process.stdin.take().expect("piped");
        let from = BufReader::new(process.stdout.take().expect("piped"));
        Some(Self {
            process,
            to,
            from,
            sent: 0,
            events: Vec::new(),
            _profile: profile,
        })
    }

    pub fn open(&mut self, file: &Path, fragment: &str, [width, height]: [u32; 2]) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let target = target["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach)["sessionId"].clone();
        let mut page = Page {
            browser: self,
            session,
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.resize([width, height]);
        page.browser.events.clear();
        let file = file.canonicalize().expect("a file");
        let url = format!("file://{}{fragment}", file.display());
        page.call("Page.navigate", json!({ "url": url }));
        page.wait_for("Page.loadEventFired");
        page
    }

    fn call(&mut self, session: Option<&Value>, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.clone();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser reads");
        loop {
            let message = self.receive();
            if message["id"] == json!(self.sent) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        let read = self.from.read_until(0, &mut bytes);
        read.expect("the browser answers");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("JSON")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page that is open. As it is closed, it must have complained of nothing.
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: Value,
}

impl Page<'_> {
    fn call(&mut self, method: &str, params: Value) -> Value {
        let session = self.session.clone();
        self.browser.call(Some(&session), method, params)
    }

    fn wait_for(&mut self, event: &str) {
        while !self.browser.events.iter().any(|one| one["method"] == event) {
            let message = self.browser.receive();
            self.browser.events.push(message);
        }
    }

    pub fn wait_for_reload(&mut self) {
        let events = &mut self.browser.events;
        events.retain(|one| one["method"] != "Page.loadEventFired");
        self.wait_for("Page.loadEventFired");
    }

    /// Shows the page as it is printed, or on a screen; in the dark or in the light.
    pub fn show_as(&mut self, print: bool, dark: bool) {
        let media = if print { "print" } else { "screen" };
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let params = json!({ "media": media, "features": features });
        self.call("Emulation.setEmulatedMedia", params);
    }

    /// A picture of the window as a PNG, or of the page in its whole length up to a limit.
    pub fn picture(&mut self, whole: bool) -> Vec<u8> {
        let size =
            self.evaluate("[innerWidth, innerHeight, document.documentElement.scrollHeight]");
        let [width, window, page] = [0, 1, 2].map(|at| size[at].as_f64().expect("a number"));
        let height = if whole {
            page.min(LONGEST_PICTURE)
        } else {
            window
        };
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let params = json!({ "format": "png", "clip": clip, "captureBeyondViewport": whole });
        let shot = self.call("Page.captureScreenshot", params);
        Base64::decode_vec(shot["data"].as_str().expect("text")).expect("base64")
    }

    pub fn resize(&mut self, [width, height]: [u32; 2]) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        let problem = result.get("exceptionDetails");
        assert!(problem.is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// The rows of the tables whose label has these words, as the texts of their cells without charts.
    pub fn rows(&mut self, label: &str) -> Vec<Vec<String>> {
        let rows = self.evaluate(&format!(
            "[...document.querySelectorAll('[role=region][aria-label*=\"{label}\"] tbody tr')]\
             .map(row => [...row.cells].filter(cell => !cell.querySelector('svg')).map(cell => cell.textContent))"
        ));
        let rows: Vec<Vec<String>> = serde_json::from_value(rows).expect("rows");
        assert!(!rows.is_empty(), "no table `{label}`");
        rows
    }

    /// The rows of the tables whose label has these words, as the text of each cell by the title of its column.
    pub fn records(&mut self, label: &str) -> Vec<BTreeMap<String, String>> {
        let records = self.evaluate(&format!(
            "[...document.querySelectorAll('[role=region][aria-label*=\"{label}\"] table')].flatMap(table => {{ \
             const titles = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim()); \
             return [...table.tBodies[0].rows].map(row => Object.fromEntries(\
             [...row.cells].map((cell, at) => [titles[at], cell.textContent]))); }})"
        ));
        let records: Vec<_> = serde_json::from_value(records).expect("records");
        assert!(!records.is_empty(), "no table `{label}`");
        records
    }

    /// Waits until an expression holds, for longer than any machine needs.
    #[track_caller]
    pub fn wait_until(&mut self, expression: &str) {
        let patience = Instant::now() + Duration::from_secs(60);
        while self.evaluate(expression) != json!(true) {
            assert!(Instant::now() < patience, "it never holds: {expression}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What axe-core says against the page, where that is there: the variable `AXE` names its file.
    pub fn barriers(&mut self) -> Vec<String> {
        let Some(file) = std::env::var_os("AXE") else {
            skip("axe-core, in the file that the variable AXE names");
            return Vec::new();
        };
        let axe = std::fs::read_to_string(file).expect("axe-core");
        self.evaluate(&format!("{axe};1"));
        let found = self.evaluate(
            "axe.run().then(found => found.violations.flatMap(({ id, help, nodes }) => \
             nodes.map(node => `${id}: ${help}: ${node.html}`)))",
        );
        serde_json::from_value(found).expect("texts")
    }

    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    #[track_caller]
    pub fn assert_fits(&mut self, what: &str) {
        let wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(self.evaluate(wider), 0, "{what}");
    }

    /// Forgets what it complained of.
    pub fn forgive(&mut self) {
        self.evaluate("1");
        self.browser.events.clear();
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.evaluate("1");
        let is_complaint = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            Some("Network.requestWillBeSent") => {
                let url = event["params"]["request"]["url"].as_str();
                let mut schemes = ["file:", "about:", "data:"].iter();
                !schemes.any(|it| url.unwrap_or_default().starts_with(it))
            }
            _ => false,
        };
        let complaints: Vec<&Value> = self.browser.events.iter().filter(is_complaint).collect();
        assert!(complaints.is_empty(), "{complaints:?}");
    }
}
