-- For how much a subscription renews: what the provider told of its product when the subscription came to it. The site's
-- price may be another since. It counts for the product beside it alone: the build before changes only the product.
alter table subscriptions
  add column price_cents integer,
  add column priced_product_id text,
  add column renewal_cents integer generated always as (
    case when priced_product_id = product_id then price_cents end) stored;

-- Of those that are here already, as their first kept event tells it.
update subscriptions s set price_cents = e.price, priced_product_id = s.product_id
  from (select distinct on (subscription_id, product->>'id') subscription_id, product->>'id' as product_id,
               (product->>'price')::numeric::integer as price
          from (select subscription_id, occurred_at, id,
                       coalesce(payload->'object', payload->'data')->'product' as product
                  from billing_events
                 where provider = 'creem' and outcome = 'applied' and type like 'subscription.%') told
         where product->>'price' ~ '^[1-9][0-9]{0,8}$' and upper(product->>'currency') = 'USD'
         order by subscription_id, product->>'id', occurred_at, id) e
 where e.subscription_id = s.id and e.product_id = s.product_id;
