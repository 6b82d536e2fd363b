import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** A module of lucide-react that holds one icon. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
const CREATE_ICON = fileURLToPath(new URL('../src/ui/svg-icon.tsx', import.meta.url));

const IMPORT = /import \{([^}]+)\} from ["']lucide-react["'];/g;

/**
 * Imports each icon from its own module: through the package's list of all, every page seems to use every icon, and which
 * pages share one cannot be told.
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
 * Makes an icon by `src/ui/svg-icon.tsx`, of the markup of its elements: as elements of React they are more to load, to
 * render and to take over.
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

/** As the page's HTML has it, without the key of React. */
function elementOf(tag: string, { key: _, ...attributes }: Record<string, string>): string {
  const words = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${words.join('')}/>`;
}

/** The icons' modules by the names under which the package exports them. */
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
