//! A child process. Its output is read line by line, within bounds, and the process ends when its owner is dropped.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::failure::beginning;

/// The maximum length of a line. A line of 250 moves takes a fiftieth of it.
pub(super) const MAX_LINE_BYTES: usize = 64 << 10;
/// The maximum number of lines that wait to be read. Then the engine waits, so its output takes a bounded amount of
/// memory.
const MAX_WAITING_LINES: usize = 256;
/// The time for an engine to end after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(300);
/// The interval between two checks whether a process has ended.
const QUIT_POLL: Duration = Duration::from_millis(2);

/// The next output of a process.
pub(super) enum Output {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line that is too long; nothing is read after it.
    LongLine,
    /// The end of the output.
    End,
    /// Nothing, until the deadline.
    Nothing,
}

/// A running process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` after `quit`.
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, LongLine>>,
    last_error: Arc<Mutex<String>>,
    /// The thread that reads standard error.
    listener: Option<JoinHandle<()>>,
    is_finished: bool,
}

/// The error for a line that is too long.
#[derive(Debug)]
struct LongLine;

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(super) fn start(program: &Path) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut command);
        let mut child = command.spawn()?;

        let input = child.stdin.take();
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);

        // A read from a pipe has no time limit, so threads of their own read. They end when the pipes are closed, at
        // the latest when the process is killed.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(output, &sender));
        }

        let last_error = Arc::new(Mutex::new(String::new()));
        let listener = child.stderr.take().map(|errors| {
            let last_error = Arc::clone(&last_error);
            thread::spawn(move || keep_last_line(errors, &last_error))
        });

        Ok(Process {
            child,
            input,
            lines,
            last_error,
            listener,
            is_finished: false,
        })
    }

    /// Writes a line to the standard input of the process.
    pub(super) fn write_line(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let text = format!("{line}\n");
            // An error means that the process has ended, which its output shows.
            let _ = input.write_all(text.as_bytes());
        }
    }

    /// Waits for the next output of the process, at most until the deadline.
    pub(super) fn next(&self, deadline: Instant) -> Output {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Ok(line)) => Output::Line(line),
            Ok(Err(LongLine)) => Output::LongLine,
            Err(RecvTimeoutError::Disconnected) => Output::End,
            Err(RecvTimeoutError::Timeout) => Output::Nothing,
        }
    }

    /// The exit status of a process whose output has ended, if it ended by itself, and the last line of its standard
    /// error.
    pub(super) fn end(&mut self) -> (Option<ExitStatus>, String) {
        let status = self.finish();

        // Standard error is read soon after the end, unless another process holds the pipe open.
        let deadline = Instant::now() + QUIT_TIME;
        while self.is_listening() && Instant::now() < deadline {
            thread::sleep(QUIT_POLL);
        }

        let last_error = self
            .last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        (status, last_error.clone())
    }

    /// Returns `true` while standard error is being read.
    fn is_listening(&self) -> bool {
        let listener = self.listener.as_ref();
        listener.is_some_and(|listener| !listener.is_finished())
    }

    /// Closes standard input, waits a moment for the end of the process, and kills the process and its children.
    /// Returns the exit status if the process ended by itself.
    fn finish(&mut self) -> Option<ExitStatus> {
        if self.is_finished {
            return None;
        }
        self.is_finished = true;
        self.input = None;

        let deadline = Instant::now() + QUIT_TIME;
        let mut is_over = has_ended(&mut self.child);
        while !is_over && Instant::now() < deadline {
            thread::sleep(QUIT_POLL);
            is_over = has_ended(&mut self.child);
        }

        // The process ID is not given to another process before this process is waited for.
        kill_group(&self.child);
        if !is_over {
            let _ = self.child.kill();
        }
        let status = self.child.wait().ok();

        // The status of a killed process says nothing about the engine.
        if is_over { status } else { None }
    }
}

/// Sends `quit` to the process, and kills the process if it does not end.
impl Drop for Process {
    fn drop(&mut self) {
        self.write_line("quit");
        self.finish();
    }
}

/// Returns `true` if a process has ended. The process ID remains reserved until the process is waited for.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let Some(id) = process_id(child) else {
        return true;
    };

    // With `NOWAIT`, the process can still be waited for. Until then, its ID can be used to kill its group.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // An error means that there is no such process.
    let status = waitid(WaitId::Pid(id), options);
    status.is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

#[cfg(unix)]
fn process_id(child: &Child) -> Option<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok()?;
    rustix::process::Pid::from_raw(id)
}

/// Puts a program into a new process group. Control-C does not reach the group, so the program can be ended by `quit`.
/// The programs that it starts are in the group, too, and can be killed with it.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Kills the processes that a process has started and left, such as the engine that a script runs.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Signal, kill_process_group};

    if let Some(group) = process_id(child) {
        // The call usually fails, since no process of the group is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Sends lines until the output ends, a line is too long, or the receiver is gone.
fn read_lines(output: impl Read, lines: &SyncSender<Result<String, LongLine>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();

        let read = output
            .by_ref()
            .take(MAX_LINE_BYTES as u64 + 1)
            .read_until(b'\n', &mut line);
        let is_end = !matches!(read, Ok(bytes) if bytes > 0);
        if is_end {
            return;
        }

        if line.len() > MAX_LINE_BYTES {
            let _ = lines.send(Err(LongLine));
            return;
        }

        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let sent = lines.send(Ok(text));
        if sent.is_err() {
            return;
        }
    }
}

/// Reads standard error to its end, and keeps the beginning of the last line, in which most programs that fail give the
/// reason. If nobody read the pipe, the engine would block as soon as the pipe is full.
fn keep_last_line(errors: impl Read, last: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();

        let read = errors
            .by_ref()
            .take(MAX_LINE_BYTES as u64)
            .read_until(b'\n', &mut line);
        let is_end = !matches!(read, Ok(bytes) if bytes > 0);
        if is_end {
            return;
        }

        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        if !text.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = beginning(&text);
        }
    }
}
