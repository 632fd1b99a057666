import { AwsError, parseJson, piecesOf } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import type { OperationDocument } from './portal-site.ts';

/** The used part of an OpenAPI document. */
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { name?: string; in?: string; required?: boolean; description?: string }[];
  readonly responses?: Readonly<Record<string, { description?: string }>>;
}

async function readBody(body: Parameters<typeof piecesOf>[0]): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of piecesOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Returns a method's part of the REST API stage's documentation; undefined if it no longer exists. */
export async function operationOf(
  { apiId, stage, path, method }: { apiId: string; stage: string; path: string; method: string },
  ctx: Apigatewayv2Context,
): Promise<OperationDocument | undefined> {
  let document: { paths?: Record<string, Record<string, Operation>> };
  try {
    const input = { restApiId: apiId, stageName: stage, exportType: 'oas30', accepts: 'application/json' };
    const { body } = await ctx.call('apigateway', 'GetExport', input);
    document = parseJson(await readBody(body)) as typeof document;
  } catch (error) {
    // Documentation of a deleted stage is omitted; its page stays.
    if (error instanceof AwsError && error.code !== 'NotImplemented') return undefined;
    throw error;
  }
  const methods = document.paths?.[path];
  const found = methods?.[method.toLowerCase()] ?? methods?.['x-amazon-apigateway-any-method'];
  if (!found) return undefined;
  const { summary, description, parameters = [], responses = {} } = found;
  return {
    summary,
    description,
    parameters: parameters.map((one) => ({
      name: one.name ?? '',
      place: one.in ?? '',
      required: one.required === true,
      description: one.description ?? '',
    })),
    responses: Object.entries(responses).map(([status, one]) => ({ status, description: one.description ?? '' })),
  };
}
