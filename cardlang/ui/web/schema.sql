-- Tables of the server's database.
create table meta (key text primary key, value text not null);
create table sittings (
  id integer primary key, file text not null, variant text, asks integer not null, made real not null,
  over integer not null default 0);
create table seats (
  sitting integer not null references sittings, seat integer not null, name text not null, kind text not null,
  sat integer not null, primary key (sitting, seat));
create table links (
  secret text primary key, sitting integer not null references sittings, seat integer, host integer not null);
create table matches (
  id integer primary key, sitting integer not null references sittings, title text not null, version text not null,
  began real not null, ended real);
create table lines (
  match integer not null references matches, number integer not null, action integer not null, thought real,
  rule integer not null, line blob not null, primary key (match, number)) without rowid;
create table odd (match integer not null, at integer not null, who text not null, word text not null, made real);
create table answers (
  match integer not null, who text not null, fun integer, clear integer, again integer, primary key (match, who));
create index links_of on links (sitting);
create index matches_of on matches (sitting);
