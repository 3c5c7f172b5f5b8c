// Before a screen's test loads anything: whoever sits at this browser chose Chinese.
localStorage.setItem('locale', 'zh-CN')
