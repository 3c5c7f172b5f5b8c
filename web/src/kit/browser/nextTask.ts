/** Lets the page draw and answer fingers before what comes next. */
export const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done))
