import { useRouteLoaderData } from 'react-router';
import type { Sale } from '../contract.ts';

const nothing: Sale = { durations: [], packs: [], promotion: null };

/** Given to every page by the site's root. */
export function useSale(): Sale {
  return useRouteLoaderData<{ sale?: Sale }>('root')?.sale ?? nothing;
}
