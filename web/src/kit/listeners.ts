type Listener<News extends readonly unknown[]> = (...news: News) => void

/**
 * Who is told when something happens, in the order of subscribing; `subscribe` returns what ends it. No
 * class: for older browsers each of its fields costs a helper, and every page loads this.
 */
export function createListeners<News extends readonly unknown[] = []>() {
  const all = new Set<Listener<News>>()
  return {
    subscribe(listener: Listener<News>): () => void {
      all.add(listener)
      return () => all.delete(listener)
    },
    notify(...news: News): void {
      for (const listener of all) listener(...news)
    },
  }
}
