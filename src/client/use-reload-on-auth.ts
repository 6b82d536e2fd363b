import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Reloads the page's data after a sign-in or sign-out. @returns a function that reloads it at once */
export function useReloadOnAuth(): () => void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const reload = () => void revalidate();
    document.addEventListener('auth:changed', reload);
    return () => document.removeEventListener('auth:changed', reload);
  }, [revalidate]);
  return () => void revalidate();
}
