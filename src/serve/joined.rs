//! The databases that a request reads: the database that it names, or all databases. Each has a separate snapshot.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::databases::ChosenDatabases;
use super::failure::Failure;
use super::locks::lock;
use super::options::GameOptions;
use super::pool::{Pool, limit_user_sql};
use super::prepared::Prepared;
use super::route::{DatabaseRequest, Joined, Request};
use stamma::board::Position;
use stamma::game::Ply;
use stamma::query::{CombinedResults, Filter, Query, Watch, query_databases};
use stamma::storage::{Database, OpeningTable, PositionEvaluation, best_evaluations};
use stamma::study::tournament::Tournaments;

impl<'q> Joined<'q> {
    /// Begins a snapshot of each database, all at the cost of the request's budget.
    ///
    /// # Errors
    /// When a database cannot be read, and when no database is served.
    pub(super) fn begin(
        request: Request<'q>,
        chosen: &'q ChosenDatabases,
    ) -> Result<Self, Failure> {
        let begun = in_parallel(&chosen.pools, |_, pool| pool.snapshot(request.budget));
        let mut snapshots = Vec::with_capacity(begun.len());
        for snapshot in begun {
            snapshots.push(Mutex::new(snapshot?));
        }

        // A folder that the server was started with may have been emptied.
        let Some(first_snapshot) = snapshots.first() else {
            return Err(Failure::unavailable("there is no database any more"));
        };
        let first = Arc::clone(&lock(first_snapshot).prepared);
        Ok(Joined {
            request,
            snapshots,
            first,
            has_names: chosen.has_names,
        })
    }

    /// `true` if there are several databases.
    pub(super) fn has_several(&self) -> bool {
        self.snapshots.len() > 1
    }

    /// The names of openings: the table of the first database.
    pub(super) fn openings(&self) -> &OpeningTable {
        &self.first.openings
    }

    /// The answers of all databases, in their order. All processors share the work.
    ///
    /// # Errors
    /// The error of the first database that has one.
    pub(super) fn run<R: Send>(
        &self,
        handle: impl Fn(&DatabaseRequest<'_>) -> Result<R, Failure> + Sync,
    ) -> Result<Vec<R>, Failure> {
        let answers = in_parallel(&self.snapshots, |index, _| self.run_one(index, &handle));
        answers.into_iter().collect()
    }

    /// The sums over all databases of the numbers that `count` returns for each. The numbers of all databases are about
    /// the same things, in the same order.
    ///
    /// # Errors
    /// The error of the first database that has one.
    pub(super) fn sums(
        &self,
        count: impl Fn(&DatabaseRequest<'_>) -> Result<Vec<u64>, Failure> + Sync,
    ) -> Result<Vec<u64>, Failure> {
        let mut by_database = self.run(count)?.into_iter();
        let mut sums = by_database.next().unwrap_or_default();
        for counts in by_database {
            for (sum, of_database) in sums.iter_mut().zip(counts) {
                *sum += of_database;
            }
        }
        Ok(sums)
    }

    /// The answer of one database, by its index, which is below the number of snapshots.
    ///
    /// The snapshot of the database is locked as long as `handle` runs. So `handle` must not call methods of [`Joined`]
    /// that lock snapshots, such as [`Joined::name_of`].
    pub(super) fn run_one<R>(
        &self,
        database: usize,
        handle: impl FnOnce(&DatabaseRequest<'_>) -> R,
    ) -> R {
        let snapshot = lock(&self.snapshots[database]);
        let name = self.has_names.then(|| snapshot.pool.name.clone());

        self.watched(|watch| {
            let request = DatabaseRequest {
                common: self.request,
                index: database,
                name,
                pool: snapshot.pool,
                database: snapshot.database(),
                prepared: &snapshot.prepared,
                watch,
            };
            handle(&request)
        })
    }

    /// The answer of the only database.
    ///
    /// # Errors
    /// When there are several, and the errors of `handle`.
    pub(super) fn single<R>(
        &self,
        handle: impl FnOnce(&DatabaseRequest<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        if self.has_several() {
            let names = self.request.state.databases.names().join(" or db=");
            let message = format!("this route reads one database; add db={names}");
            return Err(Failure::bad_request(message));
        }
        self.run_one(0, handle)
    }

    /// Queries all databases as one. All snapshots are locked as long as `answer` runs, as in [`Joined::run_one`].
    ///
    /// # Errors
    /// When a database cannot be read, and the errors of `answer`.
    pub(super) fn query<R>(
        &self,
        query: &Query,
        answer: impl FnOnce(&mut CombinedResults<'_>) -> stamma::Result<R>,
    ) -> stamma::Result<R> {
        let mut snapshots: Vec<_> = self.snapshots.iter().map(lock).collect();
        let mut databases: Vec<&mut Database> = Vec::with_capacity(snapshots.len());
        for snapshot in &mut snapshots {
            databases.push(snapshot.database_mut());
        }

        self.watched(|watch| query_databases(databases, query, watch, answer))
    }

    /// The answer of all databases together. All snapshots are locked as long as `answer` runs, as in
    /// [`Joined::run_one`].
    pub(super) fn together<R>(&self, answer: impl FnOnce(&[&Database], Watch<'_>) -> R) -> R {
        let snapshots: Vec<_> = self.snapshots.iter().map(lock).collect();
        let mut databases: Vec<&Database> = Vec::with_capacity(snapshots.len());
        for snapshot in &snapshots {
            databases.push(snapshot.database());
        }

        self.watched(|watch| answer(&databases, watch))
    }

    /// The tournaments of the games that a filter matches, each with its games in all databases. Without a filter, they
    /// are read once for all answers.
    ///
    /// # Errors
    /// When a database cannot be read, and when the budget is over.
    pub(super) fn tournaments(&self, filter: &Filter) -> stamma::Result<Arc<Tournaments>> {
        let states: Vec<Arc<Prepared>> = self
            .snapshots
            .iter()
            .map(|snapshot| Arc::clone(&lock(snapshot).prepared))
            .collect();
        self.together(|databases, watch| {
            let read = || Tournaments::read_watched(databases, filter, &watch);
            if filter.is_empty() {
                let shared = self.first.tournaments(&states);
                shared.get(self.request.budget, read)
            } else {
                Ok(Arc::new(read()?))
            }
        })
    }

    /// The names of the databases, in their order.
    pub(super) fn names(&self) -> Vec<String> {
        self.pools().map(|pool| pool.name.clone()).collect()
    }

    /// The names of the databases, if answers have them.
    pub(super) fn names_in_answers(&self) -> Option<Vec<String>> {
        self.has_names.then(|| self.names())
    }

    /// The filters, patterns and order of the parameters.
    ///
    /// # Errors
    /// When a parameter cannot be read.
    pub(super) fn game_options(&self) -> Result<GameOptions, Failure> {
        let options = self.request.game_options()?;

        // Conditions of users run on the connections of the snapshots.
        if options.has_sql {
            for snapshot in &self.snapshots {
                limit_user_sql(lock(snapshot).database(), self.request.budget)?;
            }
        }
        Ok(options)
    }

    /// The query of all parameters.
    ///
    /// # Errors
    /// When a parameter cannot be read.
    pub(super) fn game_query(&self) -> Result<(Query, GameOptions), Failure> {
        let options = self.game_options()?;
        let mut query = options.query.clone();
        if let Some(positions) = self.request.positions()? {
            query = query.positions(positions);
        }
        Ok((query, options))
    }

    /// The databases, in their order.
    pub(super) fn pools(&self) -> impl Iterator<Item = &'q Pool> {
        self.snapshots.iter().map(|snapshot| lock(snapshot).pool)
    }

    /// The name of a database by its index, if answers have it.
    pub(super) fn name_of(&self, database: usize) -> Option<String> {
        let snapshot = lock(&self.snapshots[database]);
        self.has_names.then(|| snapshot.pool.name.clone())
    }

    /// The last half-move of games after which all databases index positions; `None` if they index all.
    pub(super) fn indexed_plies(&self) -> Option<u32> {
        // A position that one of the databases does not index is not counted for all games.
        let ends = self
            .snapshots
            .iter()
            .filter_map(|snapshot| lock(snapshot).prepared.search.plies().last());
        ends.min().map(Ply::get)
    }

    /// [`Joined::indexed_plies`] for a query with positions, whose hits the indexes limit; otherwise `None`.
    pub(super) fn plies_of(&self, query: &Query) -> Option<u32> {
        if query.has_positions() {
            self.indexed_plies()
        } else {
            None
        }
    }

    /// The best evaluation of each position in any database. A missing position has no evaluation.
    pub(super) fn evaluations(
        &self,
        positions: &[Option<Position>],
    ) -> Result<Vec<Option<PositionEvaluation>>, Failure> {
        let by_database = self.run(|request| Ok(request.database.evaluations(positions)?))?;
        Ok(best_evaluations(by_database))
    }

    /// The failure, or the replacement of a database's file if that is its reason.
    pub(super) fn explain(&self, failure: Failure) -> Failure {
        let mut explained = failure;
        for snapshot in &self.snapshots {
            explained = lock(snapshot).explain(explained);
        }
        explained
    }

    /// Does work whose replays and time are at the cost of the request's budget.
    fn watched<R>(&self, work: impl FnOnce(Watch<'_>) -> R) -> R {
        let budget = self.request.budget;
        let replays = budget.replays();
        let is_over = || budget.is_over();
        let on_replay = |games, _| replays.count(games);

        let watch = Watch::new().cancel_when(&is_over).progress(&on_replay);
        work(watch)
    }
}

/// The results of `work` for each item and its index, in the order of the items. This thread works, too; it works alone
/// if the system cannot start another thread.
fn in_parallel<'t, T: Sync, R: Send>(
    items: &'t [T],
    work: impl Fn(usize, &'t T) -> R + Sync,
) -> Vec<R> {
    // Databases differ in size, so each thread takes the next item as soon as it has finished an item.
    let next = AtomicUsize::new(0);
    let work_on = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return done;
            };
            done.push((at, work(at, item)));
        }
    };

    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let max_helpers = processors.min(items.len()).saturating_sub(1);
    let mut results = thread::scope(|scope| {
        let mut helpers = Vec::with_capacity(max_helpers);
        for _ in 0..max_helpers {
            let builder = thread::Builder::new().name("answer".to_owned());
            if let Ok(helper) = builder.spawn_scoped(scope, work_on) {
                helpers.push(helper);
            }
        }

        let mut done = work_on();
        for helper in helpers {
            match helper.join() {
                Ok(others) => done.extend(others),
                // A bug is reported for the request as if this thread had met it.
                Err(panic) => resume_unwind(panic),
            }
        }
        done
    });

    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let doubled: Vec<u64> = items.iter().map(|item| item * 2).collect();

        // Each item is its own index.
        let sums = in_parallel(&items, |at, item| at as u64 + item);
        assert_eq!(sums, doubled);
    }

    #[test]
    fn no_items_have_no_results() {
        let items: [u64; 0] = [];

        let results = in_parallel(&items, |_, item| *item);
        assert!(results.is_empty());
    }
}
