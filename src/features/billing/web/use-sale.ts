import { useRouteLoaderData } from 'react-router';
import type { Sale } from '../contract.ts';

const emptySale: Sale = { durations: [], packs: [], promotion: null };

/** Loaded for every page by the root route. */
export function useSale(): Sale {
  return useRouteLoaderData<{ sale?: Sale }>('root')?.sale ?? emptySale;
}
