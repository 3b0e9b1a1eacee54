/**
 * A token server cannot be judged with the given settings: the address, the user, the service or something in front of
 * the server is wrong. This says nothing about the server, so there are no verdicts. Exit status 4.
 */
export class SetUpWrong extends Error {
  override readonly name = 'SetUpWrong';
  /** What the user should do. */
  readonly toDo: string;

  constructor(message: string, toDo: string) {
    super(message);
    this.toDo = toDo;
  }
}
