const DEPTH = 20;

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function lines(schema: Schema, name: string, indent: string, depth: number): string {
  const inner = `${indent}  `;
  if (depth > DEPTH) return '{}';
  if (schema.type === 'array')
    return `[\n#foreach($elem in $${name})\n${inner}${lines(schema.items ?? {}, 'elem', inner, depth + 1)}#if($foreach.hasNext),#end\n#end\n${indent}]`;
  const properties = Object.entries(schema.properties ?? {});
  if (schema.type === 'object' || properties.length > 0) {
    const members = properties.map(
      ([member, own]) => `${inner}"${member}" : ${lines(own, `${name}.${member}`, inner, depth + 1)}`,
    );
    return members.length === 0 ? '{ }' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean' ? `$${name}` : `"$${name}"`;
}

/**
 * Returns a mapping template that writes all members of a model, as a starting point for own templates.
 * @param schema JSON Schema of the model, as JSON
 */
export const sampleTemplate = (schema: string): string =>
  `#set($inputRoot = $input.path('$'))\n${lines(JSON.parse(schema) as Schema, 'inputRoot', '', 0)}`;
