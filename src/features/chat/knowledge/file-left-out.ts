/** A file that did not go to the model as a whole, for lack of space. */
export interface FileLeftOut {
  name: string;
  /** Percentage of its text that was sent; 0: nothing of the file. */
  percent: number;
}
