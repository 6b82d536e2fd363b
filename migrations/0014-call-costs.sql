-- A call has a cost from when it is made on: until the gateway says it, or where it never does, an estimate.
alter table gateway_calls add cost_estimated boolean not null default false;
