//! The interface of opening explorers.
