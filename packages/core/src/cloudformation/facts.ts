/**
 * What the values of a property are. `json` takes any value, and text as well; a `tag` is a `Key` and a `Value`; `ref`
 * names one of the type's definitions.
 */
export type PropertyType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date-time'
  | 'json'
  | 'tag'
  | 'null'
  | { readonly enum: readonly (string | number)[] }
  | { readonly list: PropertyType }
  | { readonly map: PropertyType }
  | { readonly ref: string }
  | { readonly union: readonly PropertyType[] };

/** What is known of one property. */
export interface PropertyFacts {
  readonly type: PropertyType;
  readonly required?: true;
  /** Whether a change makes a new resource: always, or by conditions that the provider knows; never where absent. */
  readonly replacement?: 'yes' | 'maybe';
  /** What AWS takes where the property is left out, as its schema writes it. */
  readonly default?: unknown;
}

/** How the name of a resource is made where a template gives none. */
export interface NameFacts {
  /** The property that names it. */
  readonly property: string;
  /** Most characters; 255 by default. */
  readonly max?: number;
  /** Whether only lower case is taken. */
  readonly lower?: true;
}

/**
 * What is known of a resource type, as `model/cloudformation.json` of each service has it by type name. Generated from AWS's
 * published schemas and completed by `model/cloudformation-overlay.json`; it decides validation, coercion, Ref, GetAtt and
 * replacement.
 */
export interface ResourceTypeFacts {
  /** Properties and attributes that identify a resource; Cloud Control joins their values by `|`. */
  readonly primaryIdentifier: readonly string[];
  /** The properties and attributes that Ref returns, joined by `|`; the primary identifier where absent. */
  readonly ref?: readonly string[];
  /** The property that tags are in, and how they are written there. */
  readonly tags?: { readonly property: string; readonly form: 'list' | 'map' };
  /** What Fn::GetAtt returns, by name; a dotted name is one name. */
  readonly attributes: Readonly<Record<string, PropertyType>>;
  readonly properties: Readonly<Record<string, PropertyFacts>>;
  /** Paths of nested properties, with slashes, a change of which replaces the resource. */
  readonly nestedReplacement?: readonly string[];
  /** Objects that properties consist of, by name. */
  readonly definitions?: Readonly<Record<string, Readonly<Record<string, PropertyFacts>>>>;
  /** How a name is made. */
  readonly name?: NameFacts;
  /** Properties that a read never returns, as dotted paths: secrets and the like. */
  readonly writeOnly?: readonly string[];
}

/** `model/cloudformation.json` of a service. */
export interface CloudFormationModel {
  readonly source: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, ResourceTypeFacts>>;
}
