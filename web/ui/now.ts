import { useEffect, useState } from 'react'

/** The present, looked at again after each interval; undefined keeps it as it is. */
export const useNow = (everyMs: number | undefined) => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (everyMs === undefined) return
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
