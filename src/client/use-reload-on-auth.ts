import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** @returns what reads the page anew at once. */
export function useReloadOnAuth(): () => void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const again = () => void revalidate();
    document.addEventListener('auth:changed', again);
    return () => document.removeEventListener('auth:changed', again);
  }, [revalidate]);
  return () => void revalidate();
}
