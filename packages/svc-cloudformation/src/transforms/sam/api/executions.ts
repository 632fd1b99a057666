import { isObject } from '@emu/wire';
import { EXECUTIONS } from '../arns-data.ts';
import type { Translation } from '../translation.ts';
import { getAtt, type Obj } from '../values.ts';
import type { RouteEvent } from './events.ts';

/** Returns the input of StartExecution for a request: its body, and the state machine or its alias. */
function requestTemplate(machine: string, unescapes: boolean): string {
  const escaped = "$util.escapeJavaScript($input.json('$'))";
  const input = unescapes ? `${escaped}.replaceAll("\\\\'","'")` : escaped;
  return `{"input": "${input}", "stateMachineArn": "\${${machine}}"}`;
}

/** Returns the method of a route that starts a state machine with the event's role. */
export function executionOf({ functionId, function: resource, name, properties }: RouteEvent, to: Translation): Obj {
  const machine = isObject(resource.Properties) ? resource.Properties : {};
  const alias = to.resolver.resolve(machine.AutoPublishAlias);
  const isAlias = machine.UseAliasAsEventTarget === true && typeof alias === 'string';
  const template = requestTemplate(
    isAlias ? `${functionId}Alias${alias}` : functionId,
    properties.UnescapeMappingTemplate === true,
  );
  return {
    'x-amazon-apigateway-integration': {
      type: 'aws',
      httpMethod: 'POST',
      uri: { 'Fn::Sub': EXECUTIONS },
      credentials: getAtt(`${functionId}${name}Role`, 'Arn'),
      requestTemplates: { 'application/json': { 'Fn::Sub': template } },
      responses: { 200: { statusCode: '200' }, 400: { statusCode: '400' } },
    },
    responses: { 200: { description: 'OK' }, 400: { description: 'Bad Request' } },
  };
}
