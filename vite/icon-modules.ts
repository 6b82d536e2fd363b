import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

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

/** Gives the parts of an icon short keys: the package's random letters are what compresses worst of an icon. */
export function shortIconKeys(): Plugin {
  return {
    name: 'short-icon-keys',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
      handler(code) {
        let part = 0;
        return { code: code.replace(/\bkey: "\w+"/g, () => `key: "${part++}"`), map: null };
      },
    },
  };
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
