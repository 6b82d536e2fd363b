import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Reads the page anew after a sign-in or a sign-out. @returns what reads it anew at once. */
export function useReloadOnAuth(): () => void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const again = () => void revalidate();
    document.addEventListener('auth:changed', again);
    return () => document.removeEventListener('auth:changed', again);
  }, [revalidate]);
  return () => void revalidate();
}
