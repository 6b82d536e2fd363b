-- Page views of those who agreed to analytics, as sums of a UTC day. A view adds one to each of its facts and is not
-- kept itself: no two facts of it can be brought together again, and none belongs to a person.
create table page_counts (
  day date not null,
  fact text not null check (fact in ('page', 'referrer', 'language', 'width')),
  value text not null check (length(value) between 1 and 100),
  views bigint not null check (views > 0),
  primary key (day, fact, value)
);
