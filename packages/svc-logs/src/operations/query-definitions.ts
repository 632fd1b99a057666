import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { paging } from '../paging.ts';

const MAX_DEFINITIONS = 1000;

/**
 * Saves a query, or replaces a saved one.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutQueryDefinition.html
 */
export function PutQueryDefinition(
  input: InputOf<'PutQueryDefinition'>,
  ctx: LogsContext,
): OutputOf<'PutQueryDefinition'> {
  const { name, queryDefinitionId, queryString, clientToken, queryLanguage = 'CWLI', parameters = [] } = input;
  const { definitions, definitionTokens } = ctx.state.insights;
  if (parameters.length && queryLanguage !== 'CWLI')
    throw invalidParameter('Query parameters are supported only for Logs Insights QL queries.');
  const names = parameters.map((parameter) => parameter.name);
  if (new Set(names).size < names.length) throw invalidParameter('Query parameters must have different names.');
  if (queryDefinitionId !== undefined && !definitions.has(queryDefinitionId))
    throw notFound(`The specified query definition does not exist.`);
  const first = queryDefinitionId === undefined ? definitionTokens.find('PutQueryDefinition', input) : undefined;
  if (first) return { queryDefinitionId: first.result.id };
  const id = queryDefinitionId ?? ctx.ids.uuid();
  definitions.put(id, {
    id,
    name,
    language: queryLanguage,
    query: queryString,
    groups: [...(input.logGroupNames ?? [])],
    parameters: parameters.map((parameter) => ({ ...parameter })),
    ...(clientToken !== undefined && { token: clientToken }),
    modifiedAt: ctx.clock.now(),
  });
  return { queryDefinitionId: id };
}

/**
 * Lists saved queries, in order of name.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeQueryDefinitions.html
 */
export function DescribeQueryDefinitions(
  input: InputOf<'DescribeQueryDefinitions'>,
  ctx: LogsContext,
): OutputOf<'DescribeQueryDefinitions'> {
  const { queryDefinitionNamePrefix: prefix = '', queryLanguage } = input;
  const found = [...ctx.state.insights.definitions.values()].filter(
    ({ name, language }) => name.startsWith(prefix) && (queryLanguage === undefined || language === queryLanguage),
  );
  return paging
    .page('DescribeQueryDefinitions', input, found, ({ name, id }) => `${name} ${id}`, {
      defaultLimit: MAX_DEFINITIONS,
    })
    .list(({ id, name, language, query, groups, parameters, modifiedAt }) => ({
      queryLanguage: language,
      queryDefinitionId: id,
      name,
      queryString: query,
      lastModified: modifiedAt,
      logGroupNames: [...groups],
      ...(parameters.length && { parameters: parameters.map((parameter) => ({ ...parameter })) }),
    }));
}

/**
 * Deletes a saved query.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteQueryDefinition.html
 */
export function DeleteQueryDefinition(
  { queryDefinitionId }: InputOf<'DeleteQueryDefinition'>,
  ctx: LogsContext,
): OutputOf<'DeleteQueryDefinition'> {
  if (!ctx.state.insights.definitions.delete(queryDefinitionId))
    throw notFound('The specified query definition does not exist.');
  return { success: true };
}
