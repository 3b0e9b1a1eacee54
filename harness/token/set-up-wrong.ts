/**
 * A token server cannot be judged as it was named: the address, the user, the service or something before the server is
 * wrong. It says nothing of the server, so there are no verdicts. Exit status 4.
 */
export class SetUpWrong extends Error {
  override readonly name = 'SetUpWrong';
  /** What the user is to do. */
  readonly toDo: string;

  constructor(message: string, toDo: string) {
    super(message);
    this.toDo = toDo;
  }
}
