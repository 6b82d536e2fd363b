import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Reloads the page's data after a sign-in or sign-out. @returns a function that reloads it at once */
export function useReloadOnAuth(): () => void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const again = () => void revalidate();
    document.addEventListener('auth:changed', again);
    return () => document.removeEventListener('auth:changed', again);
  }, [revalidate]);
  return () => void revalidate();
}
