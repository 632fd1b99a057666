import type {
  BedrockFault,
  BedrockFaultRequest,
  BedrockInvocation,
  BedrockModelResponse,
  BedrockResponseRule,
} from '../routes/bedrock.ts';
import { AreaControl } from './area.ts';

/** Control routes of Bedrock. */
export class BedrockControl extends AreaControl {
  /** Lists the recorded model invocations, oldest first. `GET /_emulator/bedrock/invocations` */
  invocations(): Promise<{ invocations: BedrockInvocation[] }> {
    return this.transport.json('GET /_emulator/bedrock/invocations');
  }

  /**
   * Sets the response of a model for prompts without a matching rule. `POST
   * /_emulator/bedrock/models/{model_id}/response`
   * @param modelId id or ARN
   */
  setModelResponse(modelId: string, response: BedrockModelResponse): Promise<{ modelId: string }> {
    return this.transport.json('POST /_emulator/bedrock/models/{model_id}/response', {
      params: { model_id: modelId },
      body: response,
    });
  }

  /**
   * Replaces the rules for responses that depend on the prompt. `POST /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @param rules evaluated in order
   * @returns the number of the model's rules
   */
  setResponseRules(modelId: string, rules: BedrockResponseRule[]): Promise<{ modelId: string; ruleCount: number }> {
    return this.transport.json('POST /_emulator/bedrock/models/{model_id}/responses', {
      params: { model_id: modelId },
      body: { rules },
    });
  }

  /**
   * Deletes the rules of a model. `DELETE /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @returns the number of remaining rules, 0
   */
  clearResponseRules(modelId: string): Promise<{ modelId: string; ruleCount: number }> {
    return this.transport.json('DELETE /_emulator/bedrock/models/{model_id}/responses', {
      params: { model_id: modelId },
    });
  }

  /**
   * Adds faults for the next invocations. `POST /_emulator/bedrock/faults`
   * @returns all pending faults
   */
  injectFault(fault: BedrockFaultRequest): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('POST /_emulator/bedrock/faults', { body: fault });
  }

  /** Lists the pending faults, next first. `GET /_emulator/bedrock/faults` */
  faults(): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('GET /_emulator/bedrock/faults');
  }

  /**
   * Deletes all pending faults. `DELETE /_emulator/bedrock/faults`
   * @returns the remaining faults: none
   */
  clearFaults(): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('DELETE /_emulator/bedrock/faults');
  }
}
