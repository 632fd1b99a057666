import { secretsmanager } from '../../src/scenarios/secretsmanager.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(secretsmanager);
