import type {
  BedrockFault,
  BedrockFaultRequest,
  BedrockInvocation,
  BedrockModelResponse,
  BedrockResponseRule,
} from '../records/bedrock.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Bedrock. */
export const bedrock = {
  /** Lists the recorded model invocations, oldest first. `GET /_emulator/bedrock/invocations` */
  invocations: json<{ invocations: BedrockInvocation[] }>()('GET /_emulator/bedrock/invocations'),

  /**
   * Sets the response of a model for prompts without a matching rule. `POST
   * /_emulator/bedrock/models/{model_id}/response`
   * @param modelId id or ARN
   */
  setModelResponse: json<{ modelId: string }>()(
    'POST /_emulator/bedrock/models/{model_id}/response',
    (modelId: string, response: BedrockModelResponse) => ({
      params: { model_id: modelId },
      body: response,
    }),
  ),

  /**
   * Replaces the rules for responses that depend on the prompt. `POST /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @param rules evaluated in order
   * @returns the number of the model's rules
   */
  setResponseRules: json<{ modelId: string; ruleCount: number }>()(
    'POST /_emulator/bedrock/models/{model_id}/responses',
    (modelId: string, rules: BedrockResponseRule[]) => ({
      params: { model_id: modelId },
      body: { rules },
    }),
  ),

  /**
   * Deletes the rules of a model. `DELETE /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @returns the number of remaining rules, 0
   */
  clearResponseRules: json<{ modelId: string; ruleCount: number }>()(
    'DELETE /_emulator/bedrock/models/{model_id}/responses',
    (modelId: string) => ({
      params: { model_id: modelId },
    }),
  ),

  /**
   * Adds faults for the next invocations. `POST /_emulator/bedrock/faults`
   * @returns all pending faults
   */
  injectFault: json<{ faults: BedrockFault[] }>()('POST /_emulator/bedrock/faults', (fault: BedrockFaultRequest) => ({
    body: fault,
  })),

  /** Lists the pending faults, next first. `GET /_emulator/bedrock/faults` */
  faults: json<{ faults: BedrockFault[] }>()('GET /_emulator/bedrock/faults'),

  /**
   * Deletes all pending faults. `DELETE /_emulator/bedrock/faults`
   * @returns the remaining faults: none
   */
  clearFaults: json<{ faults: BedrockFault[] }>()('DELETE /_emulator/bedrock/faults'),
};

/** Methods for the control routes of Bedrock. */
export interface BedrockControl extends MethodsOf<typeof bedrock> {}

/** Control routes of Bedrock by name. */
export type BedrockRoutes = RoutesOf<typeof bedrock>;
