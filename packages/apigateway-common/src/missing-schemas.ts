import { isObject } from '@emu/wire';

type Node = Readonly<Record<string, unknown>>;

const nodeOf = (value: unknown): Node => (isObject(value) ? value : {});

const SCHEMAS = '#/components/schemas/';

/**
 * Returns the warnings of an import for schemas of responses and request bodies that refer to unknown schemas, one for
 * each unknown schema.
 * @param document in OpenAPI 3
 * @see https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/apigatewayv2/api_test.go
 */
export function missingSchemas(document: Node): string[] {
  const known = nodeOf(nodeOf(document.components).schemas);
  const places = new Map<string, string>();
  const collect = (place: string, body: unknown): void => {
    for (const content of Object.values(nodeOf(nodeOf(body).content))) {
      const reference = nodeOf(nodeOf(content).schema).$ref;
      if (typeof reference !== 'string' || !reference.startsWith(SCHEMAS)) continue;
      const name = reference.slice(SCHEMAS.length);
      if (!name.includes('/') && !Object.hasOwn(known, name)) places.set(reference, `${place}.content.schema`);
    }
  };
  for (const [path, item] of Object.entries(nodeOf(document.paths)))
    for (const [method, operation] of Object.entries(nodeOf(item))) {
      const place = `paths.'${path}'(${method})`;
      collect(`${place}.requestBody`, nodeOf(operation).requestBody);
      for (const [status, response] of Object.entries(nodeOf(nodeOf(operation).responses)))
        collect(`${place}.responses.${status}`, response);
    }
  return [...places].map(([reference, place]) => `Parse issue: attribute ${place}.${reference} is missing`);
}
