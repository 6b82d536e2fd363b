import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** A module of lucide-react with one icon. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
const CREATE_ICON = fileURLToPath(new URL('../src/ui/svg-icon.tsx', import.meta.url));

const IMPORT = /import \{([^}]+)\} from ["']lucide-react["'];/g;

/**
 * Imports each icon from its own module. Through the package's index, every page would seem to use every icon, and the
 * bundler could not see which pages share one.
 */
export function iconModules(): Plugin {
  let modules: Map<string, string>;
  return {
    name: 'icon-modules',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async buildStart() {
      const list = await this.resolve('lucide-react');
      modules = modulesOf(readFileSync(list?.id ?? '', 'utf8'));
    },
    transform: {
      filter: { id: /\.tsx?$/, code: 'lucide-react' },
      handler: (code) => ({
        code: code.replace(IMPORT, (_, names: string) => importsOf(names, modules)),
        map: null,
      }),
    },
  };
}

type Elements = [tag: string, attributes: Record<string, string>][];

/**
 * Makes icons with `src/ui/svg-icon.tsx` from the markup of their elements, which is smaller and faster to render and
 * hydrate than React elements.
 */
export function smallIcons(): Plugin {
  return {
    name: 'small-icons',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /\/createLucideIcon\.mjs$/ },
      handler: (_, importer) => (importer && ICON.test(importer) ? CREATE_ICON : null),
    },
    transform: {
      filter: { id: ICON, code: 'const __iconData' },
      handler(code) {
        const data = /const __iconData = (\{.*?\});\n/s.exec(code)?.[1];
        if (!data) return this.error('lucide-react writes its icons in another way than expected.');
        const { node } = new Function(`return ${data}`)() as { node: Elements };
        const markup = JSON.stringify(node.map(([tag, attributes]) => elementOf(tag, attributes)).join(''));
        return {
          code: `import createIcon from '../createLucideIcon.mjs'; export default createIcon(${markup});`,
          map: null,
        };
      },
    },
  };
}

/** Formats the element as HTML, without React's key. */
function elementOf(tag: string, { key: _, ...attributes }: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${pairs.join('')}/>`;
}

/** Module paths by the names that the package exports. */
function modulesOf(list: string): Map<string, string> {
  const modules = new Map<string, string>();
  for (const [, names = '', file] of list.matchAll(/export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      modules.set(name, `lucide-react/icons/${file}`);
  return modules;
}

function importsOf(names: string, modules: Map<string, string>): string {
  const icons = names.split(',').map((each) => each.trim().split(' as '));
  return icons
    .filter(([name = '']) => name !== '' && !name.startsWith('type '))
    .map(([name = '', local = name]) => {
      const module = modules.get(name);
      if (!module) throw new Error(`lucide-react has no icon ${name}.`);
      return `import ${local} from '${module}';`;
    })
    .join('');
}
