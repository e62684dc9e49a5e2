-- Refunds become rows of their own: until now a refund was a negative charge.
begin;

create table refunds (
    id          bigint generated always as identity primary key,
    order_id    bigint not null references orders (id),
    cents       bigint not null check (cents > 0),
    reason      text not null,
    created_at  timestamptz not null default now()
);

create index refunds_order_id on refunds (order_id);

insert into refunds (order_id, cents, reason, created_at)
select order_id, -cents, 'moved from charges', created_at
from charges
where cents < 0;

delete from charges where cents < 0;

alter table charges add constraint charges_positive check (cents > 0);

-- The monthly report joins by day; a view spares every caller the union.
create view movements as
select order_id, cents, 'charge' as kind, created_at from charges
union all
select order_id, -cents, 'refund', created_at from refunds;

grant select, insert on refunds to checkout_rw;
grant select on movements to checkout_rw, reporting_ro;

commit;
