// What crosses between the page and its worker.
import type { Detail, DiagnosticItem, Fault, FrameData, OpenedJson, TensorInfo, View } from '../../../wasm/session';

export interface InputFile {
  name: string;
  blob: Blob;
  lent?: boolean; // from a server or a report: not the user's own, so not kept in the browser
}

/// Hex SHA-256 of a file.
export interface Digest {
  sha256: string; // as it is
  plain: string; // of its plain text: unpacked, as UTF-8; links know a file by this one
}

export interface Progress {
  stage: 'unpacking' | 'reading';
  done: number;
  total: number;
}

export interface FileFault {
  file: string;
  fault: Fault;
}

export interface Opened extends OpenedJson {
  size: number; // bytes of plain text; 0: the core made it
  reading: number; // counts what the worker has opened
}

/// A tensor file and what it holds.
export interface OpenedTensors {
  file: InputFile;
  tensors: TensorInfo[];
}

/// The result of open(). Absent members: no such file was among those given.
export interface OpenReport {
  opened?: Opened;
  from?: number[]; // indices of the files that `opened` was read from
  second?: InputFile; // another run among the files: the one to compare with
  joinedWithOpen?: boolean; // `opened` joins the file with the one that was open
  reread?: boolean; // `opened` is the file that was open before, read again under a new registry
  registries: { file: string; ops: string[] }[];
  config?: string;
  machine?: string;
  tensors?: OpenedTensors;
  model?: { file: string; text: string }; // a language model's config.json
  faults: FileFault[];
  cancelled?: boolean;
}

export interface FrameRequest {
  config: string;
  view: View;
  selected: number | null;
  chartAlone: boolean; // where the core can answer it without the rest
}

export interface FrameReply {
  data: FrameData;
  detail: (Detail & { text: string | null }) | null; // text: the op's raw record; null also beside a chart alone
  machine: string; // Session.machine(), at the settings in force; empty beside a chart alone
  fault: Fault | null; // why the settings or the view were refused; the ones before stay
}

/// An answer's JSON part, and the columns of numbers beside it.
export interface Answer<T> {
  json: T;
  columns: Record<string, Float32Array<ArrayBuffer>>;
}

export interface Diagnostics {
  total: number;
  items: DiagnosticItem[];
}

export type ExportKind = 'json' | 'csv' | 'svg' | 'compare.csv' | 'compare_types.csv';
