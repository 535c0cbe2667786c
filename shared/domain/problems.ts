/** Where a stage says what is wrong now, and takes it back when it is mended. Shown in every viewer and in doctor. */
export interface ProblemPort {
  /** One problem per code; setting it again replaces the text and keeps its start. */
  set(code: string, message: string, next: string): void;
  clear(code: string): void;
}
