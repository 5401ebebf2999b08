export interface Subcommand {
  usage: string;
  /** Returns the exit code. */
  run(args: string[]): Promise<number>;
}
