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
  /** Captured model invocations, oldest first. `GET /_emulator/bedrock/invocations` */
  invocations(): Promise<{ invocations: BedrockInvocation[] }> {
    return this.transport.json('GET /_emulator/bedrock/invocations');
  }

  /**
   * Sets what a model answers where no rule matches. `POST /_emulator/bedrock/models/{model_id}/response`
   * @param modelId id or ARN
   */
  setModelResponse(modelId: string, response: BedrockModelResponse): Promise<{ modelId: string }> {
    return this.transport.json('POST /_emulator/bedrock/models/{model_id}/response', {
      params: { model_id: modelId },
      body: response,
    });
  }

  /**
   * Sets answers that depend on the prompt, in place of earlier ones.
   * `POST /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @param rules tried in order
   * @returns how many rules the model has now
   */
  setResponseRules(modelId: string, rules: BedrockResponseRule[]): Promise<{ modelId: string; ruleCount: number }> {
    return this.transport.json('POST /_emulator/bedrock/models/{model_id}/responses', {
      params: { model_id: modelId },
      body: { rules },
    });
  }

  /**
   * Takes a model's rules away. `DELETE /_emulator/bedrock/models/{model_id}/responses`
   * @param modelId id or ARN
   * @returns how many rules the model has now, which is none
   */
  clearResponseRules(modelId: string): Promise<{ modelId: string; ruleCount: number }> {
    return this.transport.json('DELETE /_emulator/bedrock/models/{model_id}/responses', {
      params: { model_id: modelId },
    });
  }

  /**
   * Lets the next invocations fail. `POST /_emulator/bedrock/faults`
   * @returns all faults that are still to come
   */
  injectFault(fault: BedrockFaultRequest): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('POST /_emulator/bedrock/faults', { body: fault });
  }

  /** Faults that are still to come, next first. `GET /_emulator/bedrock/faults` */
  faults(): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('GET /_emulator/bedrock/faults');
  }

  /**
   * Takes back all faults that are still to come. `DELETE /_emulator/bedrock/faults`
   * @returns what is left, which is none
   */
  clearFaults(): Promise<{ faults: BedrockFault[] }> {
    return this.transport.json('DELETE /_emulator/bedrock/faults');
  }
}
