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

commit;
