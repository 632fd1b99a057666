import { formatArn, type Place } from '@emu/core/service';

/**
 * Returns the ARN of an operation on a connection, for policies.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-control-access-iam.html
 */
export const connectionArn = (
  { apiId, stage, id }: { apiId: string; stage: string; id: string },
  method: string,
  { accountId, region }: Place,
): string =>
  formatArn(
    { service: 'execute-api', region, accountId, resource: `${apiId}/${stage}/${method}/@connections/${id}` },
    region,
  );
