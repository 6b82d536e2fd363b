import { useRouteLoaderData } from 'react-router';
import type { Sale } from '../contract.ts';

const nothing: Sale = { durations: [], promotion: null };

/** What can be bought now: a fact of the server that every page is given by the root of the site. */
export function useSale(): Sale {
  return useRouteLoaderData<{ sale?: Sale }>('root')?.sale ?? nothing;
}
