-- For the metric tandem_dead_letters_open, which counts them at each scrape.
create index dead_letters_open on dead_letters (consumer) where replayed_at is null;
