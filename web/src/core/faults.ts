// Converts errors to text, and to faults without a position in a file.
import type { Fault } from '../../../wasm/session';

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export const faultOf = (error: unknown): Fault => ({ message: messageOf(error), line: 0, column: 0, path: '' });
