/**
 * Type of a property's values. `json` accepts any value, and text as well; a `tag` is a `Key` and a `Value`; `ref`
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

/** Facts of one property. */
export interface PropertyFacts {
  readonly type: PropertyType;
  readonly required?: true;
  /** Whether a change replaces the resource: always, or by the provider's conditions; never by default. */
  readonly replacement?: 'yes' | 'maybe';
  /** AWS's default of the property, as in its schema. */
  readonly default?: unknown;
}

/** Rules for the generated name of a resource. */
export interface NameFacts {
  /** The property with the name. */
  readonly property: string;
  /** Maximum characters; 255 by default. */
  readonly max?: number;
  /** Whether the name is in lower case. */
  readonly lower?: true;
}

/**
 * Facts of a resource type: an entry of a service's `model/cloudformation.json`. Generated from AWS's published schemas
 * and completed by `model/cloudformation-overlay.json`. Validation, coercion, Ref, GetAtt and replacement depend on it.
 */
export interface ResourceTypeFacts {
  /** Properties and attributes that identify a resource; Cloud Control joins their values by `|`. */
  readonly primaryIdentifier: readonly string[];
  /** Properties and attributes that Ref returns, joined by `|`; by default the primary identifier. */
  readonly ref?: readonly string[];
  /** The property with the tags, and their form. */
  readonly tags?: { readonly property: string; readonly form: 'list' | 'map' };
  /** Results of Fn::GetAtt by name; a name may contain dots. */
  readonly attributes: Readonly<Record<string, PropertyType>>;
  readonly properties: Readonly<Record<string, PropertyFacts>>;
  /** Paths of nested properties, with slashes, whose change replaces the resource. */
  readonly nestedReplacement?: readonly string[];
  /** Object types of properties, by name. */
  readonly definitions?: Readonly<Record<string, Readonly<Record<string, PropertyFacts>>>>;
  /** Rules for a generated name. */
  readonly name?: NameFacts;
  /** Properties that a read never returns, such as secrets, as dotted paths. */
  readonly writeOnly?: readonly string[];
}

/** `model/cloudformation.json` of a service. */
export interface CloudFormationModel {
  readonly source: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, ResourceTypeFacts>>;
}
