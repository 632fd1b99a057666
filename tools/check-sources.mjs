// Rules for sources beyond those of the linter. Prints each violation as `<file>: <rule>` and exits with 1 if any exists.
// Part of `pnpm lint`.
//
// - Imports between files of a package, including types and `import()`, are not circular. Neither are imports between the
//   directories directly below its `src`.
// - The gateway names no service: manifests declare what is special about one.
// - Folders of core's contract import none of its machine.
// - Services import `@emu/core/service` instead of `@emu/core`; each value that it exports is used by a service, or by a
//   package that services depend on.
// - The declared resource types of a service format its ARNs: no other literal begins with `arn:`.
// - Resource types with records by one variable name them as `records` instead of look-ups by hand.
// - A lazily loaded CommonJS package is used through its default export, the only one in bundles.
// - Every export of a file is imported by another file.
// - A service's index.ts lists the modules of its handlers instead of each handler.
// - Handlers are in src/operations/<concept>.ts or src/operations/<concept>/<part>.ts.
// - A handler is a function declaration, and its input and output are `InputOf<'Operation'>` and `OutputOf<'Operation'>`.
// - Members of records are spelled in camelCase; values in AWS's shape are stored as a whole.
// - A service makes its errors by the typed constructor and the functions of src/errors.ts; awsError is used there only.
// - A service's context type is declared in src/context.ts only.
// - An optional member is spread as `...(x !== undefined && { x })` instead of a conditional expression with `{}`.
// - Constants of limits are named `MAX_…` and `MIN_…`.
// - A doc comment links a page as `@see <address>`.
// - Tests find `../shared` through tools/testing/shared.ts, which prints the tests that are skipped without it.
// - package.json declares every import of a package's files; published packages declare nothing else, and no package
//   repeats what the root declares for all. Build scripts import `dependencies` of the root only.
// - package.json has no field that packing adds.
// - Services reach KMS through a CustomerKey of core, which also names their AWS managed keys.
// - wire's `violationText` and `constraintText` name violated constraints, and bound the shown value.
// - wire's `isObject` recognises JSON objects; `asString` and `textOf` convert values to strings and texts.
// - IdempotencyTokens of core compares idempotency tokens.
// - `tagOperations` makes the operations on tags, except those of `TAGS_BY_HAND`; core's `tagMap` and `tagList` convert tags.
// - Regular expressions from users are compiled by WholeRegex and LinearRegex of core, which run in linear time.
// - `exceedsBytes` of core compares the bytes of a text with a limit.
// - YAML is parsed by core, which limits its nesting.
// - Services declare control routes by name through core's `controlRoute`.
// - Each row of a behaviours.json names an existing test as `<file> > <title>`.
// - Services send requests for users through openRequest and fetchFor of core, which lead AWS's host names to emu.
// - Services assume roles through a ServiceRole of core; `servicePrincipal` creates service principals.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { transformSync } from 'esbuild';
import { undeclaredOfBuild, wrongDependencies } from './declared-imports.mjs';
import { importedFrom, unusedExports, valuesOf } from './unused-exports.mjs';
import { manifestOf, packageFolders, root } from './workspace.mjs';

const breaches = [];
const breach = (file, rule) => breaches.push(`${relative(root, file)}: ${rule}`);

/** Fields of package.json that tools/publishing.mjs adds to every published package. */
const ADDED_BY_PACKING = ['license', 'engines', 'sideEffects', 'files', 'publishConfig'];

/** Returns the text of each file in `src` or `test` of a package, except generated files and fixtures. */
function textsOf(folder, part) {
  const directory = join(root, folder, part);
  if (!existsSync(directory)) return new Map();
  const files = readdirSync(directory, { recursive: true })
    .filter(
      (name) =>
        /\.(?:m?ts|js)$/.test(name) && !name.endsWith('.d.ts') && !/(?:^|[\\/])(?:generated|fixture)[\\/]/.test(name),
    )
    .map((name) => join(directory, name));
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

/** Matches an optional member in a form that the project does not use. */
const CONDITIONAL_MEMBER =
  /\.\.\.\((?:[^()]|\([^()]*\))*\?\s*\{\}\s*:\s*\{|\.\.\.\((?:[^(){}]|\([^()]*\))*\?\s*\{[^{}]*\}\s*:\s*\{\}\s*\)/;

/** Hand-written forms of wire's functions of JSON values, and functions of the same names. */
const OF_VALUES = [
  {
    name: 'isObject',
    code: /typeof (\w+) [!=]== 'object' (?:&&|\|\|) \1 [!=]== null (?:&&|\|\|) !?Array\.isArray\(\1\)/,
  },
  { name: 'isObject', code: /(?:const|function) isObject\b/ },
  { name: 'asString', code: /(?<!&& )typeof ([\w.]+) === 'string' \? \1 : undefined/ },
  { name: 'textOf', code: /(?:const|function) textOf\b|typeof ([\w.]+) === 'string' \? \1 : JSON\.stringify\(\1\)/ },
];

/** Matches a comparison of a text's number of bytes with a limit. */
const MEASURED_TEXT = /Buffer\.byteLength\((?:[^()]|\([^()]*\))*\) (?:>|<=) /;

/** Matches an import of the YAML library's parser. */
const YAML_PARSER = /import \{[^}]*\bparse(?:Document|AllDocuments)?\b[^}]*\} from 'yaml'/;

/** Matches a doc comment, or a line of one, that consists of a URL. */
const BARE_ADDRESS = /^\s*(?:\/\*\*|\*) https?:\/\//m;

const HANDLER = /^export (const|(?:async )?function) ([A-Z][a-z]\w+)(?:\((.*?)\)(?::| \{)| = (?:async )?\()/gms;

/** Whether each handler of a file is a function declaration whose input has the operation's own type. */
const handlersAreDeclared = (text) =>
  [...text.matchAll(HANDLER)].every(
    ([, keyword, name, parameters]) =>
      keyword !== 'const' && (!parameters?.trim() || parameters.includes(`: InputOf<'${name}'>`)),
  );

const IMPORT = /(?:(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+|\bimport\(\s*)'(\.[^']+)'/g;

/** Returns the files that each file of a package imports. */
const importsOf = (texts) =>
  new Map(
    [...texts].map(([file, text]) => [
      file,
      [...text.matchAll(IMPORT)].map(([, path]) => resolve(dirname(file), path)),
    ]),
  );

/**
 * Returns the folders directly below `src` that each of them imports. Files outside of these folders are entries of the
 * package, which may import any.
 */
function folderImports(imports, src) {
  const folderOf = (file) => {
    const [folder, ...rest] = relative(src, file).split(sep);
    return rest.length && folder !== '..' ? folder : undefined;
  };
  const folders = new Map();
  for (const [file, targets] of imports) {
    const folder = folderOf(file);
    if (folder === undefined) continue;
    const found = folders.get(folder) ?? new Set();
    folders.set(folder, found);
    for (const target of targets.map(folderOf)) if (target !== undefined && target !== folder) found.add(target);
  }
  return folders;
}

/** Returns groups of what imports each other in a circle (strongly connected components, by Tarjan's algorithm). */
function circles(imports) {
  const found = [];
  const index = new Map();
  const low = new Map();
  const stack = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of imports.get(file)) {
      if (!imports.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

/** Files that may contain ARN literals: declarations of resources, and AWS's own data. */
const mayHaveArns = (file) => /(?:^|[\\/])(?:resources(?:\.ts|[\\/][^\\/]+\.ts)|[^\\/]+-data\.ts)$/.test(file);

const LATE =
  /(?:const (\{[^}]*\}|\w+) = |\()?(?:await )?(?<!typeof )import\(\s*'((?:@[\w-]+\/)?[a-z][\w.-]*)([\w./-]*)'\s*,?\s*\)(\)\.default|\.then\(\(\{ default)?/g;

/** Whether `import()` of a package provides named exports when it is part of a bundle. */
function hasNames(folder, name, path) {
  const manifest = join(root, folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return true;
  const { exports, module, type } = JSON.parse(readFileSync(manifest, 'utf8'));
  const target = exports?.[path === '' ? '.' : `.${path}`] ?? exports;
  return (
    type === 'module' || (path === '' && module !== undefined) || JSON.stringify(target ?? '').includes('"import"')
  );
}

/** Returns the CommonJS packages that a file loads lazily with named imports. */
function lateNames(folder, text) {
  const { private: isPrivate, peerDependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json')));
  if (isPrivate) return [];
  return [...text.matchAll(LATE)]
    .filter(([, names, name, path, isDefault]) => {
      if (name.startsWith('@emu/') || name in peerDependencies || isDefault || /^\{\s*default\b/.test(names ?? ''))
        return false;
      return !hasNames(folder, name, path);
    })
    .map(([, , name]) => name);
}

/** Folders of core that make up the emulator; the others are its contract with services. */
const MACHINE = new Set([
  'bodies',
  'doctor',
  'invocation',
  'kernel',
  'migration',
  'persistence',
  'recorder',
  'services',
  'state',
  'state-file',
  'testing',
]);

/** Names of services that emu has or whose operations it calls, and paths that belong to one. */
const SERVICE_NAMES = readdirSync(join(root, 'packages/service-types/src')).map((name) =>
  name.replace(/(\.d)?\.ts$/, ''),
);
const NAMES_A_SERVICE = new RegExp(`["'\`](?:${SERVICE_NAMES.join('|')})["'\`]|["'\`]/_aws/`);

/** Whether a source of the gateway is free of services' names; its helpers for tests may have them. */
const namesNoService = (file, text) =>
  /[\\/]src[\\/]testing[\\/]/.test(file) || !NAMES_A_SERVICE.test(text) || !NAMES_A_SERVICE.test(codeOf(text));

/** Returns the code of a source without comments, which may show what code must not have. */
const codeOf = (text) => transformSync(text, { loader: 'ts', legalComments: 'none', minifyWhitespace: true }).code;

/** Tasks that services delegate to core except those in `except`, with code patterns that are forbidden for others. */
const OF_CORE = [
  {
    code: /validation errors? detected: Value|Value '\$\{[^\n]*failed to satisfy constraint/,
    rule: "wire's violationText and constraintText name a violated constraint",
  },
  { code: /\bcall\(\s*["'`]kms["'`]/, except: /svc-kms$/, rule: 'KMS is called by hand; a CustomerKey calls it' },
  {
    code: /\bcall\(\s*["'`]sts["'`],\s*["'`]AssumeRole["'`]/,
    except: /svc-sts$/,
    rule: 'a role is assumed by hand; a ServiceRole assumes it',
  },
  {
    code: /["'`][a-z0-9.-]+\.amazonaws\.com["'`]/,
    rule: "a service's principal is named by hand; servicePrincipalName names it",
  },
  { code: /\bpath: ["'`]\/_emulator\//, rule: 'a control route is declared by hand; controlRoute declares it by name' },
  { code: /type: ["'`]service["'`]/, rule: "a service's principal is made by hand; servicePrincipal makes it" },
  {
    code: /code: "\w+",\s+message: `HTTP content length exceeded/,
    rule: "AWS's usual answer to a large body is written by hand; the manifest names its code as `bodies.refusal`",
  },
  {
    code: /"NotImplemented",\s+[`"]emu does not implement/,
    rule: 'the error for a feature that emu lacks is made by hand; notEmulated makes it',
  },
  {
    code: /[tT]oken === (?:input\.)?[cC]lient(?:Request)?Token\b/,
    // Tokens of a stack's or an execution's latest operation, which their records have.
    except: /svc-(?:cloudformation|stepfunctions)$/,
    rule: 'an idempotency token is compared by hand; IdempotencyTokens compares it',
  },
  {
    code: /\.map\(\(\{ Key, Value \}\) => \[Key, Value\]|\.map\(\(\[Key, Value\]\) => \(\{ Key, Value \}\)/,
    // Dimensions of metrics, members of an object, and values to hash.
    except: /svc-(?:logs|stepfunctions|sts)$/,
    rule: "tags are converted by hand; core's tagMap and tagList convert them",
  },
  {
    code: /find: \([^)]*\) => [\w.]+\.has\((\w+)\) \? \{ \1 \} : void 0/,
    rule: 'a look-up is written by hand; `records` of a resource type finds, lists and counts its records',
  },
  {
    code: /["'`]alias\/aws\//,
    except: /svc-kms$/,
    rule: 'an AWS managed key is named by hand; a CustomerKey names it',
  },
  {
    code: /import \{[^}]*\brequest\b[^}]*\} from "node:https?"|(?<![.\w])fetch\([\w.!]+, \{/,
    // A key store's proxy with its own certificates, and extensions of a function on this machine.
    except: /svc-(?:kms|lambda)$/,
    rule: "a request is sent by hand; core's openRequest and fetchFor lead AWS's host names to emu",
  },
];

/** Matches a separate handler of an operation on tags. */
const TAG_HANDLER = /^export (?:async )?function ((?:Tag|Untag|GetTags|List(?:[A-Z]\w*)?Tags)\w*)\(/gm;

/** Operations that are named like those on tags but cannot use `tagOperations`, with the reason. */
const TAGS_BY_HAND = {
  ListRequiredTags: 'returns what tag policies require, not the tags of a resource',
  TagResources: 'tags resources of other services through their operations',
  UntagResources: 'untags resources of other services through their operations',
};

/** Packages that services depend on. */
const BELOW_SERVICES = new Set(['apigateway-common', 'containers', 'polling']);

/** Files that compile expressions which are not literals but contain no syntax of a user, with their origin. */
const COMPILED_EXPRESSIONS = {
  'packages/containers/src/process/groups.ts': 'names of limits and of fields of /proc',
  'packages/containers/src/volume-scope.ts': 'a hexadecimal hash',
  'packages/core/src/descriptors/ids.ts': 'prefixes of declared ids',
  'packages/core/src/patterns/identifiers/detector.ts': 'forms of managed data identifiers',
  'packages/core/src/patterns/identifiers/general.ts': 'names of key types',
  'packages/core/src/patterns/identifiers/keywords.ts': 'keywords of managed data identifiers',
  'packages/core/src/patterns/identifiers/persons.ts': 'lists of names',
  'packages/core/src/patterns/json-path.ts': 'constants of the JSONPath dialects',
  'packages/core/src/patterns/matchers.ts': 'escaped characters of event patterns, each with its other case',
  'packages/core/src/recorder/masks.ts': 'names of secrets',
  'packages/core/src/resources/arn-format.ts': 'declared ARN formats',
  'packages/core/src/time/schedules.ts': 'constants of cron fields',
  'packages/gateway/src/access/codespaces.ts': 'quoted environment variables',
  'packages/gateway/src/access/origin-rules.ts': 'quoted text of --allow-origin',
  'packages/gateway/src/testing/faults/process.ts': 'names of fields of /proc',
  'packages/gateway/src/testing/recorded.ts': 'recorded messages, in tests',
  'packages/recording/src/masking/texts.ts': 'words in names of secrets',
  'packages/svc-apigateway/src/authorization.ts': "location names of the service's model",
  'packages/svc-cloudwatch/src/metrics/statistics.ts': 'a constant for numbers',
  'packages/svc-logs/src/store/event.ts': 'constants of event ids',
  'packages/svc-ssm/src/documents/downloads.ts': 'a constant bucket name',
  'packages/svc-ssm/src/documents/references.ts': 'a constant expression',
  'packages/svc-ssm/src/patches/snapshots.ts': 'a constant bucket name',
  'packages/wire/src/pattern.ts': 'patterns of models, whose matches have a time limit',
  'packages/wire/src/xml-text.ts': 'a constant expression',
};

/** Matches the compilation of an expression that is not a literal. */
const COMPILES = /\bRegExp\((?!\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`$]*`)\s*[,)])/;

/** Names that services and the packages that they depend on import of `@emu/core/service`. */
const usedByServices = new Set();

for (const folder of packageFolders()) {
  const texts = textsOf(folder, 'src');
  const tests = textsOf(folder, 'test');
  for (const [file, text] of tests)
    if (text.includes('../shared/')) breach(file, '../shared is found by another way than tools/testing/shared.ts');
  // Examples are applications of their own.
  if (!/^examples[\\/]/.test(folder)) {
    for (const { file, rule } of wrongDependencies(folder, texts, tests)) breach(file, rule);
    for (const field of ADDED_BY_PACKING)
      if (field in manifestOf(folder)) breach(join(root, folder, 'package.json'), `packing adds ${field}`);
  }
  for (const [file, text] of texts) {
    for (const name of lateNames(folder, text))
      breach(file, `${name} is loaded late and has no names in a bundle; take its default export or re-export them`);
    if (/\bconst (?:[A-Z\d]+_)*(?:MOST|LEAST)(?:_[A-Z\d]+)*\b/.test(text))
      breach(file, 'the constant of a limit is named MAX_… or MIN_…');
    if (CONDITIONAL_MEMBER.test(text)) breach(file, 'an optional member is written `...(x !== undefined && { x })`');
    if (folder.startsWith('packages') && !file.endsWith('json-values.ts'))
      for (const { code, name } of OF_VALUES) if (code.test(text)) breach(file, `wire's ${name} is written by hand`);
    if (/^(?:packages|apps)[\\/]/.test(folder)) {
      const isListed = relative(root, file).replaceAll(sep, '/') in COMPILED_EXPRESSIONS;
      if (COMPILES.test(text) !== isListed)
        breach(
          file,
          isListed
            ? 'COMPILED_EXPRESSIONS lists a file that compiles no expression'
            : 'RegExp compiles an expression; WholeRegex and LinearRegex compile those of users',
        );
    }
    if (/^packages[\\/](?!wire)/.test(folder) && !file.endsWith('exceeds-bytes.ts') && MEASURED_TEXT.test(text))
      breach(file, 'exceedsBytes compares the bytes of a text with a limit');
    if (YAML_PARSER.test(text) && !file.endsWith(join('core', 'src', 'yaml', 'index.ts')))
      breach(file, 'core parses YAML, with a limit of its nesting');
    if (BARE_ADDRESS.test(text)) breach(file, 'a doc comment names a page as `@see <address>`');
    if (folder === 'packages/gateway' && !namesNoService(file, text))
      breach(file, 'a service is named; its manifest declares what is special about it');
  }
  const imports = importsOf(texts);
  const folders = folderImports(imports, join(root, folder, 'src'));
  for (const group of circles(folders))
    breach(join(root, folder, 'src'), `folders import each other in a circle: ${group.join(', ')}`);
  if (folder === 'packages/core')
    for (const [name, targets] of folders)
      for (const target of targets)
        if (!MACHINE.has(name) && MACHINE.has(target))
          breach(
            join(root, folder, 'src', name),
            `a folder of the contract imports ${target}, which is of the machine`,
          );
  for (const group of circles(imports))
    breach(
      group[0],
      `imports run in a circle with ${group
        .slice(1)
        .map((file) => relative(join(root, folder), file))
        .join(', ')}`,
    );
  const isService = /[\\/]svc-/.test(folder);
  if (isService || BELOW_SERVICES.has(basename(folder)))
    for (const text of texts.values())
      for (const name of importedFrom(text, '@emu/core/service')) usedByServices.add(name);
  if (!isService) continue;
  for (const [file, text] of texts) {
    const rules = OF_CORE.filter(({ code, except }) => !except?.test(folder) && code.test(text));
    if (text.includes('arn:') && !mayHaveArns(file))
      rules.push({ code: /["'`]arn:(?!["'`])/, rule: 'an ARN is written by hand; its type of resources writes it' });
    if (rules.length) {
      // Comments may contain forbidden code; the compiler's output does not include them.
      const { code: written } = transformSync(text, { loader: 'ts', legalComments: 'none' });
      for (const { code, rule } of rules) if (code.test(written)) breach(file, rule);
    }
    if (/[\\/]src[\\/].+[\\/]operations(?:\.ts$|[\\/])/.test(file))
      breach(file, 'handlers are in src/operations/<concept>.ts or src/operations/<concept>/<part>.ts');
    if (/[\\/]operations[\\/]/.test(file) && !handlersAreDeclared(text))
      breach(file, "a handler is `export function Op(input: InputOf<'Op'>, ctx: XContext): OutputOf<'Op'>`");
    for (const [, name] of text.matchAll(TAG_HANDLER))
      if (!(name in TAGS_BY_HAND)) breach(file, `${name} is written by hand; tagOperations makes it`);
    for (const [, name, members] of text.matchAll(/^export interface (\w+Record)\b[^{]*\{\n([\s\S]*?)\n\}/gm))
      if (/^ {2}(?:readonly )?[A-Z]\w*\??:/m.test(members)) breach(file, `members of ${name} are spelled in camelCase`);
    if (/\bawsError\b/.test(text) && relative(join(root, folder, 'src'), file) !== 'errors.ts')
      breach(file, "errors are made by the service's constructor of src/errors.ts, which knows its codes");
    if (text.includes("'@emu/core'")) breach(file, 'a service imports @emu/core/service instead of @emu/core');
    if (/OperationContext<(?!unknown)/.test(text) && relative(join(root, folder, 'src'), file) !== 'context.ts')
      breach(file, "the type of the service's context is declared in src/context.ts");
    if (/[\\/]index\.ts$/.test(file) && /^ {2}operations: \{/m.test(text))
      breach(file, 'operations are a list of modules: `operations: [queues, messages]`');
  }
}

/** Returns the text of a test file, without the escapes of quotes; undefined for an unknown file. */
const testText = (path) => {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll(/\\(['"`])/g, '$1') : undefined;
};
for (const folder of packageFolders()) {
  const file = join(root, folder, 'behaviours.json');
  if (!existsSync(file)) continue;
  for (const { test } of JSON.parse(readFileSync(file, 'utf8'))) {
    const [path, title, ...more] = String(test).split(' > ');
    if (!title || more.length || !testText(path)?.includes(title))
      breach(file, `"${test}" is no existing test, named as "<file> > <title>"`);
  }
}

const service = join(root, 'packages/core/src/service.ts');
for (const name of valuesOf(service))
  if (!usedByServices.has(name)) breach(service, `${name} is exported for services and none uses it`);

for (const folder of ['tools', 'apps/cli'])
  for (const name of readdirSync(join(root, folder)).filter((each) => each.endsWith('.mjs')))
    for (const { file, rule } of undeclaredOfBuild(join(root, folder, name))) breach(file, rule);

for (const { file, name } of unusedExports()) breach(file, `${name} is exported and no other file imports it`);

for (const line of breaches) console.error(line);
if (breaches.length) process.exitCode = 1;
