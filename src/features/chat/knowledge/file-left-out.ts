/** A file that did not go to the model as a whole, for want of room. */
export interface FileLeftOut {
  name: string;
  /** Of its text, which went; 0: nothing of the file. */
  percent: number;
}
