import type { ModuleInfo } from '@emu/service-types/cloudformation';
import { isObject } from '@emu/wire';
import { invalid } from '../errors.ts';
import type { JsonObject } from '../templates/values.ts';

/** Maximum nesting depth of modules. */
const MAX_DEPTH = 3;
const MODULE = /^[A-Za-z0-9]+::[A-Za-z0-9]+::[A-Za-z0-9]+::MODULE$/;

/** Metadata member that names the module of a resource. */
const MODULE_METADATA = 'AWS::CloudFormation::Module';

/**
 * Returns the module of a resource from its metadata.
 * @param metadata object or JSON
 */
export function moduleInfo(metadata: unknown): { ModuleInfo?: ModuleInfo } {
  if (typeof metadata === 'string')
    return metadata.includes(MODULE_METADATA) ? moduleInfo(JSON.parse(metadata) as unknown) : {};
  const module = isObject(metadata) ? metadata[MODULE_METADATA] : undefined;
  return isObject(module) ? { ModuleInfo: module as ModuleInfo } : {};
}

/** Attributes of a module that its resources inherit unless they set them. */
const HANDED_ON = ['Condition', 'DeletionPolicy', 'UpdateReplacePolicy'];

/** Returns the fragment of a module by name; undefined for an unknown module. */
export type FragmentOf = (name: string) => JsonObject | undefined;

/** Whether a template contains modules. */
export const hasModules = ({ Resources }: JsonObject): boolean =>
  Object.values(isObject(Resources) ? Resources : {}).some((resource) => isModule(resource));

const isModule = (resource: unknown): resource is JsonObject =>
  isObject(resource) && typeof resource.Type === 'string' && MODULE.test(resource.Type);

/**
 * Replaces modules by their resources, with the module's id as prefix. Unregistered modules stay, and their type fails
 * the stack.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/modules.html
 */
export function expandModules(template: JsonObject, fragmentOf: FragmentOf): JsonObject {
  let expanded = template;
  for (let depth = 0; ; depth++) {
    const found = Object.entries(isObject(expanded.Resources) ? expanded.Resources : {}).filter(
      ([, resource]) => isModule(resource) && fragmentOf((resource as JsonObject).Type as string),
    ) as [string, JsonObject][];
    if (!found.length) return expanded;
    if (depth === MAX_DEPTH) throw invalid(`Modules may be nested ${MAX_DEPTH} levels deep.`);
    for (const [id, module] of found) expanded = expandOne(expanded, id, module, fragmentOf(module.Type as string)!);
  }
}

const SECTIONS = ['Conditions', 'Mappings', 'Outputs'] as const;
const sectionOf = (from: JsonObject, name: string): JsonObject => (isObject(from[name]) ? from[name] : {});

function expandOne(template: JsonObject, id: string, module: JsonObject, fragment: JsonObject): JsonObject {
  const inner = new Fragment(id, module, fragment);
  const { [id]: _, ...others } = sectionOf(template, 'Resources');
  const resources = sectionOf(fragment, 'Resources');
  const nested = Object.keys(resources).filter((name) => isModule(resources[name]));
  const isIn = (name: string) =>
    Object.hasOwn(resources, name) || nested.some((prefix) => name.startsWith(prefix) && name !== prefix);
  const outer = (value: unknown) => dotted(value, id, Object.keys(resources), isIn);
  const made: JsonObject = { ...template, Resources: { ...(outer(others) as JsonObject), ...inner.resources() } };
  for (const section of SECTIONS) {
    const given = sectionOf(template, section);
    const own = inner.section(section);
    if (Object.keys(given).length || Object.keys(own).length)
      made[section] = { ...(outer(given) as JsonObject), ...own };
  }
  return made;
}

/** A module fragment being expanded. */
class Fragment {
  private readonly values = new Map<string, unknown>();
  private readonly ids: ReadonlySet<string>;

  constructor(
    private readonly id: string,
    private readonly module: JsonObject,
    private readonly fragment: JsonObject,
  ) {
    const { Properties: given = {} } = module;
    if (!isObject(given)) throw invalid(`Properties of module ${id} must be an object.`);
    const parameters = sectionOf(fragment, 'Parameters');
    for (const name of Object.keys(given))
      if (!Object.hasOwn(parameters, name))
        throw invalid(`Module ${id} of type ${module.Type} has no parameter ${name}.`);
    for (const [name, parameter] of Object.entries(parameters)) {
      const value = given[name] ?? (isObject(parameter) ? parameter.Default : undefined);
      if (value === undefined) throw invalid(`Parameter ${name} of module ${id} must have a value.`);
      this.values.set(name, value);
    }
    this.ids = new Set(Object.keys(sectionOf(fragment, 'Resources')));
  }

  resources(): JsonObject {
    const { Type, Metadata } = this.module;
    const around = isObject(Metadata) && isObject(Metadata[MODULE_METADATA]) ? Metadata[MODULE_METADATA] : undefined;
    const joined = (own: unknown, outer: unknown) => (outer === undefined ? own : `${own}/${outer}`);
    const module = {
      TypeHierarchy: joined(Type, around?.TypeHierarchy),
      LogicalIdHierarchy: joined(this.localId(around), around?.LogicalIdHierarchy),
    };
    const waits = this.module.DependsOn === undefined ? [] : [this.module.DependsOn].flat();
    return Object.fromEntries(
      Object.entries(sectionOf(this.fragment, 'Resources')).map(([name, resource]) => {
        const made = this.walk(resource) as JsonObject;
        const own = made.DependsOn === undefined ? [] : [made.DependsOn].flat().map((other) => this.resource(other));
        for (const attribute of HANDED_ON)
          if (this.module[attribute] !== undefined) made[attribute] ??= this.module[attribute];
        const DependsOn = [...own, ...waits];
        const metadata = { ...sectionOf(made, 'Metadata'), [MODULE_METADATA]: module };
        return [this.id + name, { ...made, ...(DependsOn.length && { DependsOn }), Metadata: metadata }];
      }),
    );
  }

  /** Returns the id of the module in its own fragment, without prefixes of enclosing modules. */
  private localId(around: JsonObject | undefined): string {
    const outer = typeof around?.LogicalIdHierarchy === 'string' ? around.LogicalIdHierarchy : '';
    const prefix = outer.split('/').reverse().join('');
    return this.id.startsWith(prefix) ? this.id.slice(prefix.length) : this.id;
  }

  section(name: (typeof SECTIONS)[number]): JsonObject {
    return Object.fromEntries(
      Object.entries(sectionOf(this.fragment, name)).map(([member, value]) => [this.id + member, this.walk(value)]),
    );
  }

  private resource(id: unknown): unknown {
    if (typeof id !== 'string') return id;
    const [first] = id.split('.');
    return this.ids.has(first!) ? this.id + id : id;
  }

  private walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.walk(entry));
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    if (entries.length === 1) {
      const [name, argument] = entries[0]!;
      if (name === 'Ref' && typeof argument === 'string')
        return this.values.has(argument) ? this.values.get(argument) : { Ref: this.resource(argument) };
      if (name === 'Fn::GetAtt') {
        const path = Array.isArray(argument) ? argument : String(argument).split('.');
        return { 'Fn::GetAtt': [this.resource(path[0]), ...path.slice(1).map((part) => this.walk(part))] };
      }
      if (name === 'Fn::Sub') return { 'Fn::Sub': this.sub(argument) };
      if (name === 'Fn::If' && Array.isArray(argument)) {
        const [condition, ...branches] = argument;
        return { 'Fn::If': [this.condition(condition), ...branches.map((branch) => this.walk(branch))] };
      }
      if (name === 'Fn::FindInMap' && Array.isArray(argument)) {
        const [map, ...keys] = argument;
        const mapped = typeof map === 'string' && Object.hasOwn(sectionOf(this.fragment, 'Mappings'), map);
        return { 'Fn::FindInMap': [mapped ? this.id + map : this.walk(map), ...keys.map((key) => this.walk(key))] };
      }
    }
    return Object.fromEntries(
      entries.map(([name, inner]) => [
        name,
        name === 'Condition' && typeof inner === 'string' ? this.condition(inner) : this.walk(inner),
      ]),
    );
  }

  private condition(name: unknown): unknown {
    const own = typeof name === 'string' && Object.hasOwn(sectionOf(this.fragment, 'Conditions'), name);
    return own ? this.id + name : name;
  }

  /** Substitutes values in the text of Fn::Sub: text values inline, others as variables. */
  private sub(argument: unknown): unknown {
    const [text, given] = Array.isArray(argument) ? argument : [argument, {}];
    if (typeof text !== 'string' || !isObject(given)) return this.walk(argument);
    const variables = this.walk(given) as JsonObject;
    const replaced = text.replace(/\$\{([^!{}]+)\}/g, (whole, name: string) => {
      if (Object.hasOwn(given, name)) return whole;
      if (!this.values.has(name)) return `\${${this.resource(name)}}`;
      const value = this.values.get(name);
      if (typeof value !== 'object') return String(value).replaceAll('${', '${!');
      variables[name] = value;
      return whole;
    });
    return Object.keys(variables).length ? [replaced, variables] : replaced;
  }
}

/**
 * Rewrites references to module resources as one id: `Module.Resource` becomes `ModuleResource`.
 * @param isIn whether a name is a resource of the module or of its nested modules
 */
function dotted(value: unknown, id: string, ids: readonly string[], isIn: (name: string) => boolean): unknown {
  const plain = (path: string): string => {
    const [module, resource, ...rest] = path.split('.');
    if (module !== id || resource === undefined || !isIn(resource)) return path;
    return [module + resource, ...rest].join('.');
  };
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => {
        if (name === 'Ref' && typeof inner === 'string') return [name, plain(inner)];
        if (name === 'DependsOn') return [name, [inner].flat().flatMap((one) => (one === id ? all() : [text(one)]))];
        if (name === 'Fn::GetAtt') {
          const path = Array.isArray(inner) ? inner : [inner];
          if (!path.every((entry) => typeof entry === 'string')) return [name, walk(inner)];
          const whole = plain(path.join('.'));
          if (whole === path.join('.')) return [name, inner];
          const [resource, ...attribute] = whole.split('.');
          return [name, [resource, attribute.join('.')]];
        }
        if (name === 'Fn::Sub') {
          const [words, variables] = Array.isArray(inner) ? inner : [inner];
          const replaced =
            typeof words === 'string'
              ? words.replace(/\$\{([^!{}]+)\}/g, (_, path: string) => `\${${plain(path)}}`)
              : words;
          return [name, variables === undefined ? replaced : [replaced, walk(variables)]];
        }
        return [name, walk(inner)];
      }),
    );
  };
  const text = (one: unknown) => (typeof one === 'string' ? plain(one) : one);
  const all = () => ids.map((resource) => id + resource);
  return walk(value);
}
