import { createElement, type FunctionComponent, type SVGProps } from 'react';

interface IconData {
  /** Elements of a picture of 24 by 24. */
  node: [tag: string, attributes: Record<string, string>][];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  size?: number;
}

/**
 * In place of the one of lucide-react (`vite/icon-modules.ts`), whose contexts, class names and other frameworks'
 * attributes are 1.3 KB compressed of each page and most of an icon's rendering.
 */
export default function createIcon({ node }: IconData): FunctionComponent<IconProps> {
  const parts = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ size = 24, ...props }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      {parts}
    </svg>
  );
}
